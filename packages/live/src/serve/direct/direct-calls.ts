// Plain calls of tools that need only a plain context, made and answered without the SDK. If the outcome is not a plain
// result (a failure, a question, a task), the SDK encodes it. A call is made once, even if its tool is removed or
// replaced while it runs.
import type { ServerDefinition } from '../../definition/server-definition.ts';
import { type Observe, codeOfResult } from '../../definition/observe.ts';
import { PassedResult } from '../../definition/answer/passed-result.ts';
import { type ToolDefinition, failedResult, toResult } from '../../definition/tool/tool.ts';
import { isVisibleTo } from '../../definition/registry/visible-to.ts';
import { LiveError } from '../../base/error.ts';
import type { PlainContext } from '../../resource/call-context.ts';
import type { Caller } from '../../resource/caller.ts';
import type { ModernCall } from '../../session/modern/plain-request.ts';
import { PlainResults } from '../../session/modern/plain-result.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import { Interrupted } from './interrupted.ts';
import { rpcError } from '../exchange/rpc-error.ts';

/** A call that was made and whose outcome the SDK must encode. */
export interface MadeCall {
  readonly name: string;
  /** The tool as it was when it was called; its handler returns the outcome. */
  readonly tool: ToolDefinition;
  readonly startedAt: number;
}

interface Call {
  readonly exchange: HttpExchange<unknown>;
  readonly caller: Caller;
  readonly request: ModernCall;
  readonly tool: ToolDefinition;
  readonly startedAt: number;
}

export class DirectCalls {
  readonly #definition: ServerDefinition;
  readonly #observe: Observe | undefined;
  readonly #results: PlainResults;
  /** For each running call, the function that interrupts it. */
  readonly #running = new Set<() => void>();

  constructor(definition: ServerDefinition, observe: Observe | undefined) {
    this.#definition = definition;
    this.#observe = observe;
    this.#results = new PlainResults(() => definition.info);
  }

  /**
   * Makes the call and answers it. Resolves with the call if the SDK must encode its outcome. Returns undefined if the
   * SDK must make the call, because it asks for progress or is invalid. Rejects when interrupted.
   */
  take(
    exchange: HttpExchange<unknown>,
    caller: Caller,
    request: ModernCall,
  ): Promise<MadeCall | undefined> | undefined {
    const { tools, clock } = this.#definition;
    const tool = request.progressToken === undefined ? tools.get(request.name) : undefined;
    if (tool?.plainHandler === undefined || !isVisibleTo(caller, tool)) return undefined;
    const args = tool.options.input?.['~standard'].validate(request.args);
    if (args === undefined || args instanceof Promise || args.issues !== undefined) return undefined;
    const { plainHandler } = tool;
    const call = { exchange, caller, request, tool, startedAt: clock.now() };
    const outcome = this.#run(exchange, (signal) => plainHandler(args.value, plainContext(caller, request, signal)));
    return outcome.then(
      (returned) => this.#answer(call, returned),
      (error: unknown) => this.#fail(call, error),
    );
  }

  /** Interrupts all running calls. */
  close(): void {
    for (const interrupt of this.#running) interrupt();
  }

  /** The signal is aborted when the client disconnects or the server is closed. */
  #run(exchange: HttpExchange<unknown>, work: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
    const left = new AbortController();
    return new Promise((resolve, reject) => {
      const interrupt = () => {
        reject(new Interrupted());
        left.abort();
      };
      this.#running.add(interrupt);
      exchange.onClosed(() => {
        if (this.#running.has(interrupt)) left.abort();
      });
      work(left.signal)
        .finally(() => this.#running.delete(interrupt))
        .then(resolve, reject);
    });
  }

  async #answer(call: Call, returned: unknown): Promise<MadeCall | undefined> {
    const { exchange, request, tool } = call;
    const plain = this.#plainResult(tool, returned);
    if (plain === undefined) return madeCall(call, () => returned);
    const text = `{"result":${plain.json},"jsonrpc":"2.0","id":${JSON.stringify(request.id)}}`;
    try {
      exchange.makeRoom(text);
    } catch (error) {
      this.#note(call, error instanceof LiveError ? error.code : 'INTERNAL');
      await exchange.send(rpcError(request.id, error, this.#definition.log));
      return undefined;
    }
    this.#note(call, plain.code);
    exchange.sendJson(text);
    return undefined;
  }

  /** Undefined if the SDK must validate the result or report what is wrong with it. */
  #plainResult({ options: { output } }: ToolDefinition, returned: unknown) {
    try {
      if (returned instanceof PassedResult) {
        return { json: this.#results.passedJson(returned.result), code: codeOfResult(returned.result) };
      }
      const result = toResult(returned, output !== undefined);
      const json = this.#results.callJson(result, output);
      return json === undefined ? undefined : { json, code: codeOfResult(result) };
    } catch {
      return undefined;
    }
  }

  #fail(call: Call, error: unknown): MadeCall | undefined {
    if (error instanceof Interrupted) throw error;
    const { exchange, request } = call;
    if (!exchange.isGone) {
      return madeCall(call, () => {
        throw error;
      });
    }
    // The SDK ignores a request whose client has disconnected.
    const isAbort = error instanceof Error && error.name === 'AbortError';
    const failure = isAbort ? new LiveError('UNAVAILABLE', 'The call was cancelled.') : error;
    this.#note(call, codeOfResult(failedResult(request.name, failure, this.#definition.log)));
    return undefined;
  }

  #note({ caller, request, startedAt }: Call, code: string | undefined): void {
    const { method, params, client } = request;
    this.#observe?.({ caller, method, params, client, code, ms: this.#definition.clock.now() - startedAt });
  }
}

function madeCall({ request, tool, startedAt }: Call, handler: () => unknown): MadeCall {
  return { name: request.name, tool: { ...tool, handler }, startedAt };
}

function plainContext(caller: Caller, { client, capabilities, meta }: ModernCall, signal: AbortSignal): PlainContext {
  return {
    caller,
    client: { info: client, capabilities, logLevel: undefined, notify: undefined },
    // The request asks for neither log messages nor progress, and continues no other.
    log: () => undefined,
    mcpReq: { _meta: meta, signal, notify: () => Promise.resolve(), requestState: () => undefined },
  };
}
