// Calls of tools that wait, answered directly on the response in either era. A waiting call holds only its connection,
// this object and the tool's own state. An answer before the first progress notification is JSON; after it, the
// response is an event stream.
import {
  type CallToolResult,
  type JSONRPCMessage,
  type Progress,
  ProtocolError,
  type RequestId,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server';
import type { ServerDefinition } from '../../definition/server-definition.ts';
import { type Observe, type ObservedRequest, codeOf } from '../../definition/observe.ts';
import { RpcError } from '../../definition/answer/rpc-error.ts';
import { type ToolDefinition, failedResult } from '../../definition/tool/tool.ts';
import { isVisibleTo } from '../../definition/registry/visible-to.ts';
import type { WaitingCall } from '../../definition/tool/waiting-call.ts';
import { toProtocolError } from '../../definition/answer/wire-error.ts';
import { LiveError } from '../../base/error.ts';
import type { Caller } from '../../resource/caller.ts';
import { asciiJson } from '../../session/ascii-json.ts';
import { withLegacyErrorCode } from '../../session/legacy/frames.ts';
import type { CancellableCall } from '../../session/legacy/transport.ts';
import type { PlainCall } from '../../session/plain-call.ts';
import type { EventStream, StreamOwner } from '../../sse/event-stream.ts';
import { messageEvent } from '../../sse/sse-event.ts';
import { SseStreams } from '../../sse/sse-streams.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';

/** A 2025-era session: it can cancel a call by its id, and is kept while calls wait. */
interface CallHolder {
  readonly client: ObservedRequest['client'];
  hold(call: CancellableCall): void;
  release(call: CancellableCall): void;
}

export class WaitingCalls {
  readonly definition: ServerDefinition;
  readonly observe: Observe | undefined;
  /** Streams of calls that have sent progress. They need no limit, since quotas limit calls. */
  readonly streams: SseStreams;
  readonly #open = new Set<OpenCall>();

  constructor(definition: ServerDefinition, keepAliveMs: number, observe: Observe | undefined) {
    this.definition = definition;
    this.observe = observe;
    this.streams = new SseStreams({ clock: definition.clock, keepAliveMs });
  }

  /** Whether the call is answered here. The SDK answers all others, invalid ones included. */
  take(exchange: HttpExchange<unknown>, caller: Caller, request: PlainCall, holder?: CallHolder): boolean {
    const { tools, capabilities } = this.definition;
    const tool = capabilities.tools && exchange.isStreamable ? tools.get(request.name) : undefined;
    if (tool?.begin === undefined || !isVisibleTo(caller, tool)) return false;
    const args = tool.options.input?.['~standard'].validate(request.args);
    if (args === undefined || args instanceof Promise || args.issues !== undefined) return false;
    exchange.keep();
    const call = new OpenCall(this, exchange, caller, request, holder);
    this.#open.add(call);
    holder?.hold(call);
    call.begin(tool, args.value);
    return true;
  }

  forget(call: OpenCall): void {
    this.#open.delete(call);
  }

  close(): void {
    for (const call of this.#open) call.fail(new LiveError('UNAVAILABLE', 'This server is shutting down.'));
  }
}

class OpenCall implements WaitingCall, StreamOwner, CancellableCall {
  readonly caller: Caller;
  readonly #calls: WaitingCalls;
  readonly #exchange: HttpExchange<unknown>;
  readonly #request: PlainCall;
  readonly #holder: CallHolder | undefined;
  readonly #startedAt: number;
  #waiting: { stop(): void } | undefined;
  #stream: EventStream | undefined;
  #isOver = false;

  constructor(
    calls: WaitingCalls,
    exchange: HttpExchange<unknown>,
    caller: Caller,
    request: PlainCall,
    holder: CallHolder | undefined,
  ) {
    this.#holder = holder;
    this.#calls = calls;
    this.#exchange = exchange;
    this.caller = caller;
    this.#request = request;
    this.#startedAt = calls.definition.clock.now();
  }

  get id(): RequestId {
    return this.#request.id;
  }

  begin({ begin }: ToolDefinition, args: unknown): void {
    this.#exchange.onClosed(() => this.#closed());
    // The client left while it was admitted.
    if (this.#isOver) return;
    try {
      this.#waiting = begin?.(args, this);
    } catch (error) {
      this.fail(error);
    }
    // The tool may have answered already.
    if (this.#isOver) this.#waiting?.stop();
  }

  progress(progress: Progress): void {
    const { progressToken } = this.#request;
    if (this.#isOver) return;
    // A client that wants no progress gets a stream too: it sends headers and comments at once, and many HTTP clients
    // give up if neither arrives for minutes.
    this.#stream ??= this.#exchange.openStream(this.#calls.streams, this);
    // Skipped for a stalled client, which gets a later one.
    if (progressToken === undefined || !this.#stream.ready) return;
    const params = { ...progress, progressToken };
    const message = { method: 'notifications/progress', params, jsonrpc: '2.0' };
    this.#stream.write(messageEvent(asciiJson(message)));
  }

  cancel(): void {
    if (!this.#end('CANCELLED')) return;
    this.#stream ??= this.#exchange.openStream(this.#calls.streams, this);
    this.#stream.end();
  }

  answer(result: CallToolResult): void {
    const { id } = this.#request;
    if (this.caller.era === 'legacy') this.#reply({ result, jsonrpc: '2.0', id });
    else this.#reply({ result: this.#complete(result), jsonrpc: '2.0', id });
  }

  #complete(result: CallToolResult) {
    const { _meta: given, content, structuredContent, isError } = result;
    const _meta = { ...given, [SERVER_INFO_META_KEY]: this.#calls.definition.info };
    // Members in the SDK's order.
    return {
      ...(given && { _meta }),
      content,
      ...(structuredContent !== undefined && { structuredContent }),
      ...(isError !== undefined && { isError }),
      resultType: 'complete' as const,
      _meta,
    };
  }

  fail(error: unknown): void {
    const { log } = this.#calls.definition;
    if (error instanceof RpcError || error instanceof ProtocolError) this.#reply(this.#refusal(error));
    else this.answer(failedResult(this.#request.name, error, log));
  }

  streamClosed(): void {
    // `exchange.onClosed` reports this too.
  }

  streamDrained(): void {
    // Progress is not queued, so there is nothing to send.
  }

  #reply(message: JSONRPCMessage): void {
    if (!this.#end(codeOf(message))) return;
    try {
      this.#send(message);
    } catch (error) {
      this.#send(this.#refusal(error));
    }
  }

  /** Throws if there is no room for the message. */
  #send(message: JSONRPCMessage): void {
    const text = this.#stream === undefined ? JSON.stringify(message) : asciiJson(message);
    this.#exchange.makeRoom(text);
    if (this.#stream === undefined) this.#exchange.sendJson(text);
    else this.#stream.end(messageEvent(text));
  }

  #refusal(error: unknown): JSONRPCMessage {
    const { code, message, data } = toProtocolError(error, {}, this.#calls.definition.log);
    const { id } = this.#request;
    const refusal = { jsonrpc: '2.0' as const, id, error: { code, message, ...(data !== undefined && { data }) } };
    return this.caller.era === 'legacy' ? withLegacyErrorCode(refusal) : refusal;
  }

  #closed(): void {
    this.#end('CANCELLED');
  }

  /** Returns whether the call was still open. */
  #end(code: string | undefined): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#waiting?.stop();
    this.#calls.forget(this);
    this.#holder?.release(this);
    const { method, params, client = this.#holder?.client } = this.#request;
    const ms = this.#calls.definition.clock.now() - this.#startedAt;
    this.#calls.observe?.({ caller: this.caller, method, params, client, code, ms });
    return true;
  }
}
