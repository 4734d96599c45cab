// 2026-07-28 requests over HTTP. Plain ones are answered directly, all others by the SDK. Of a listen request that is
// not plain, the SDK sends only the first frame: it says that the request is valid, and which part of the filter the
// capabilities allow.
import {
  CLIENT_INFO_META_KEY,
  type McpHttpHandler,
  ProtocolError,
  type SubscriptionFilter,
  createMcpHandler,
  isJSONRPCRequest,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { LiveError } from '../base/error.ts';
import { isEventStream } from '../portable/is-event-stream.ts';
import type { Caller } from '../resource/caller.ts';
import type { ServerDefinition } from '../definition/server-definition.ts';
import { createInstance, createResourceInstance, createToolInstance } from '../definition/instance.ts';
import { withInvalidParamsText } from '../definition/answer/invalid-params.ts';
import { advertisedFilter } from '../session/modern/advertised-filter.ts';
import type { RequestId } from '../session/modern/frames.ts';
import type { OpenConnection } from '../session/open-connection.ts';
import { honor } from '../session/modern/honor.ts';
import { ListenStream } from '../session/modern/listen-stream.ts';
import type { Observe, ObservedRequest } from '../definition/observe.ts';
import type { StreamOwner } from '../sse/event-stream.ts';
import type { SseStreams } from '../sse/sse-streams.ts';
import type { Hold } from '../quota/quotas.ts';
import { WatchedHold } from '../quota/watched-hold.ts';
import { DirectAnswers, type Unencoded, isDirect } from './direct/direct-answers.ts';
import { DirectCalls, type MadeCall } from './direct/direct-calls.ts';
import { type HttpExchange, assertStreamable } from './exchange/http-exchange.ts';
import type { Recognise } from './exchange/plain-http-request.ts';
import { noRoomRefusal, rpcError } from './exchange/rpc-error.ts';
import { WaitingCalls } from './direct/waiting-calls.ts';

const silentBus = { publish: () => undefined, subscribe: () => () => undefined };
/** The SDK's status when it was closed, or the client disconnected, before there was an answer. */
const interrupted = 499;
const registryMethod = /^(tools|prompts)\//;
/** Methods whose tool or prompt is named in a header, which the SDK compares with the body. */
const namedMethod = /^(tools\/call|prompts\/get)$/;
const abortableMethod = /^(tools|prompts)\/|^resources\/(list|read)$/;
const acknowledgedSchema = z.object({ params: z.object({ notifications: z.custom<SubscriptionFilter>() }) });

/** The request that an SDK server answers. */
interface SdkRequest {
  readonly caller: Caller;
  readonly unencoded?: Unencoded | undefined;
  readonly made?: MadeCall | undefined;
}

interface ListenMessage {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

export class ModernLeg {
  readonly #definition: ServerDefinition;
  readonly #streams: SseStreams;
  readonly #sdk: McpHttpHandler;
  readonly #observe: Observe | undefined;
  readonly #recognise: Recognise;
  readonly #direct: DirectAnswers;
  readonly #calls: DirectCalls;
  readonly #waiting: WaitingCalls;
  readonly #sdkRequests = new WeakMap<Request, SdkRequest>();
  readonly #open = new Set<ListenStream>();
  #closing = false;

  constructor(
    definition: ServerDefinition,
    streams: SseStreams,
    keepAliveMs: number,
    recognise: Recognise,
    observe: Observe | undefined,
  ) {
    this.#definition = definition;
    this.#recognise = recognise;
    this.#direct = new DirectAnswers(definition, observe);
    this.#calls = new DirectCalls(definition, observe);
    this.#waiting = new WaitingCalls(definition, keepAliveMs, observe);
    this.#streams = streams;
    this.#observe = observe;
    this.#sdk = createMcpHandler(({ requestInfo }) => this.#instanceFor(requestInfo), {
      legacy: 'reject',
      maxSubscriptions: Number.POSITIVE_INFINITY,
      maxRequestBodySize: definition.limits.bodyBytes,
      keepAliveMs,
      bus: silentBus,
      onerror: (error) => this.#report(error),
    });
  }

  /** `text` is a body that is not JSON: the SDK refuses it. */
  async handle(exchange: HttpExchange<unknown>, caller: Caller, body: unknown, text?: string): Promise<void> {
    const plain = body === undefined ? undefined : this.#recognise(exchange, body);
    if (plain?.method === 'subscriptions/listen') {
      await this.#listen(exchange, caller, plain, advertisedFilter(plain.filter, this.#definition.capabilities));
      return;
    }
    if (plain?.method === 'tools/call') {
      if (!this.#closing && this.#waiting.take(exchange, caller, plain)) return;
      const calling = this.#calls.take(exchange, caller, plain);
      const made = await calling;
      if (calling && made === undefined) return;
      return this.#askSdk(exchange, { caller, made }, body, text);
    }
    let unencoded: Unencoded | undefined;
    if (plain && isDirect(this.#definition, plain)) {
      unencoded = await this.#direct.answer(exchange, caller, plain);
      if (unencoded === undefined) return;
    }
    await this.#askSdk(exchange, { caller, unencoded }, body, text);
  }

  async #askSdk(
    exchange: HttpExchange<unknown>,
    sdkRequest: SdkRequest,
    body: unknown,
    text: string | undefined,
  ): Promise<void> {
    const method = exchange.header('mcp-method');
    const isListen = method === 'subscriptions/listen' && isJSONRPCRequest(body) && body.method === method;
    const isAbortable = method === undefined || abortableMethod.test(method);
    const request = exchange.toRequest({
      ...(isAbortable && { signal: exchange.signal() }),
      ...(text !== undefined && { body: text }),
    });
    this.#sdkRequests.set(request, sdkRequest);
    const response = await this.#sdk.fetch(request, body === undefined ? {} : { parsedBody: body });
    if (isListen && isEventStream(response.headers.get('content-type'))) {
      await this.#listen(exchange, sdkRequest.caller, body, await firstFrame(response));
    } else if (response.status === interrupted) {
      throw new LiveError('UNAVAILABLE', 'This server is shutting down.');
    } else {
      const { log } = this.#definition;
      const refusal = noRoomRefusal(body, { caller: sdkRequest.caller, log, observe: this.#observe });
      await exchange.send(response, { correct: withInvalidParamsText, refusal });
    }
  }

  connections(): OpenConnection[] {
    return [...this.#open].map(({ connection }) => connection);
  }

  /** For each open stream, a function that ends it. */
  ends(): (() => Promise<void>)[] {
    return [...this.#open].map((stream) => () => stream.complete());
  }

  async completeStreams(): Promise<void> {
    this.#closing = true;
    this.#waiting.close();
    await Promise.all([...this.#open].map((stream) => stream.complete()));
  }

  async close(): Promise<void> {
    this.#direct.close();
    this.#calls.close();
    await this.#sdk.close();
  }

  /** `allowed` is the part of the filter that the capabilities allow. */
  async #listen(
    exchange: HttpExchange<unknown>,
    caller: Caller,
    request: ListenMessage,
    allowed: SubscriptionFilter,
  ): Promise<void> {
    const { clock } = this.#definition;
    const { id, method, params } = request;
    const startedAt = clock.now();
    const report = (code?: string) =>
      this.#observe?.({ caller, method, params, client: clientOf(params), code, ms: clock.now() - startedAt });
    try {
      assertStreamable(exchange);
      const held = this.#hold(caller, allowed);
      exchange.onClosed(() => held.release());
      const honored = await honor(this.#definition, caller, { id, params, filter: allowed }, () => exchange.isGone);
      let isBegun = false;
      try {
        if (exchange.isGone) return;
        if (this.#closing) throw new LiveError('UNAVAILABLE', 'This server is shutting down.');
        this.#streams.assertRoom();
        const open = (owner: StreamOwner) => exchange.openStream(this.#streams, owner);
        const client = clientOf(params);
        const stream = new ListenStream(this.#definition, open, { id, caller, client }, this.#onClose);
        this.#open.add(stream);
        isBegun = true;
        await stream.begin(honored);
        const { resourceSubscriptions: uris } = honored.filter;
        const subscriber = { client, sessionId: undefined };
        if (uris) this.#definition.directory.subscribed?.(caller, uris, subscriber);
        report();
      } finally {
        honored.release();
        if (!isBegun) honored.pushed?.stop();
      }
    } catch (error) {
      report(error instanceof LiveError ? error.code : 'INTERNAL');
      await exchange.send(rpcError(id, error, this.#definition.log));
    }
  }

  /** Counts a stream and its URIs against the quotas until its response is closed. */
  #hold(caller: Caller, { resourceSubscriptions }: SubscriptionFilter): Pick<Hold, 'release'> {
    const { quotas } = this.#definition;
    const stream = quotas.hold(caller, 'streams', 1);
    const uris = new WatchedHold(quotas, caller);
    try {
      uris.add([...new Set(resourceSubscriptions)]);
    } catch (error) {
      stream.release();
      throw error;
    }
    return {
      release: () => {
        stream.release();
        uris.release();
      },
    };
  }

  readonly #onClose = (stream: ListenStream): void => {
    this.#open.delete(stream);
  };

  /** Logs a failure of the server. A refusal by the SDK is not logged: its response says why. */
  #report(error: Error): void {
    if (!/^Rejected|^Unsupported|^Parse error/.test(error.message) && !(error instanceof ProtocolError)) {
      this.#definition.log.error({ err: error }, 'The SDK could not serve a request.');
    }
  }

  #instanceFor(request: Request | undefined) {
    const { caller, unencoded, made } = (request && this.#sdkRequests.get(request)) ?? unknownRequest;
    // The SDK has checked that this header matches the body.
    const method = request?.headers.get('mcp-method') ?? '';
    const observed = { caller: () => caller, method, observe: this.#observe };
    if (made) return createToolInstance(this.#definition, { ...observed, startedAt: made.startedAt }, made);
    const create = registryMethod.test(method) ? createInstance : createResourceInstance;
    return create(this.#definition, {
      ...observed,
      only: namedMethod.test(method) ? plainName(request?.headers.get('mcp-name')) : undefined,
      startedAt: unencoded?.startedAt,
      outcomeOf: () => unencoded?.outcome,
    });
  }
}

/** Decodes `=?base64?…?=`, the form of a name that a header cannot contain. */
function plainName(header: string | null | undefined): string | undefined {
  return header === null || header?.startsWith('=?') ? undefined : header;
}

const unknownRequest: SdkRequest = { caller: { era: 'modern', transport: 'http' } };

const clientSchema = z.object({
  _meta: z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string(), version: z.string() }) }),
});

function clientOf(params: unknown): ObservedRequest['client'] {
  return clientSchema.safeParse(params).data?._meta[CLIENT_INFO_META_KEY];
}

/** Takes the filter from the SDK's acknowledgement, and closes the SDK's stream. */
async function firstFrame(response: Response): Promise<SubscriptionFilter> {
  const reader = response.body?.getReader();
  const chunk = await reader?.read();
  await reader?.cancel();
  const data = /^data: ([^\n]*)/m.exec(new TextDecoder().decode(chunk?.value))?.[1];
  return acknowledgedSchema.parse(JSON.parse(data ?? 'null')).params.notifications;
}
