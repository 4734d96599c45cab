// 2026-07-28 requests over HTTP. Plain ones are answered directly; the SDK answers all others. Of another listen
// request it answers only the beginning, which says that the request is valid and what of it the capabilities allow.
import {
  CLIENT_INFO_META_KEY,
  type McpHttpHandler,
  ProtocolError,
  type SubscriptionFilter,
  createMcpHandler,
  isJSONRPCRequest,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { LiveError } from '../error.ts';
import type { Caller } from '../resource/caller.ts';
import type { Definition } from '../definition/definition.ts';
import { createInstance, createResourceInstance } from '../definition/instance.ts';
import { withInvalidParamsText } from '../definition/invalid-params.ts';
import { advertisedFilter } from '../session/modern/advertised-filter.ts';
import type { RequestId } from '../session/modern/frames.ts';
import { honor } from '../session/modern/honor.ts';
import { ListenStream } from '../session/modern/listen-stream.ts';
import type { Observe, ObservedRequest } from '../definition/observe.ts';
import type { StreamOwner } from '../sse/event-stream.ts';
import type { SseStreams } from '../sse/sse-streams.ts';
import type { Hold } from '../quota/quotas.ts';
import { DirectAnswers, type Unworded } from './direct-answers.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { Recognise } from './plain-http-request.ts';
import { refusalOf, rpcError } from './rpc-error.ts';

const silentBus = { publish: () => undefined, subscribe: () => () => undefined };
/** What the SDK answers when it was closed, or the client left, before there was an answer. */
const interrupted = 499;
const registryMethod = /^(tools|prompts)\//;
const abortableMethod = /^(tools|prompts)\/|^resources\/(list|read)$/;
const acknowledgedSchema = z.object({ params: z.object({ notifications: z.custom<SubscriptionFilter>() }) });

/** What the SDK is asked on behalf of. */
interface Asked {
  readonly caller: Caller;
  readonly unworded: Unworded | undefined;
}

interface ListenRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

export class ModernLeg {
  readonly #definition: Definition;
  readonly #streams: SseStreams;
  readonly #sdk: McpHttpHandler;
  readonly #observe: Observe | undefined;
  readonly #recognise: Recognise;
  readonly #direct: DirectAnswers;
  readonly #asked = new WeakMap<Request, Asked>();
  readonly #open = new Set<ListenStream>();
  #closing = false;

  constructor(
    definition: Definition,
    streams: SseStreams,
    keepAliveMs: number,
    recognise: Recognise,
    observe: Observe | undefined,
  ) {
    this.#definition = definition;
    this.#recognise = recognise;
    this.#direct = new DirectAnswers(definition, observe);
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
    let unworded: Unworded | undefined;
    if (plain && this.#definition.capabilities.resources && !this.#isWaitingRead(plain.method)) {
      unworded = await this.#direct.answer(exchange, caller, plain);
      if (unworded === undefined) return;
    }
    await this.#askSdk(exchange, { caller, unworded }, body, text);
  }

  async #askSdk(exchange: HttpExchange<unknown>, asked: Asked, body: unknown, text: string | undefined): Promise<void> {
    const method = exchange.header('mcp-method');
    const isListen = method === 'subscriptions/listen' && isJSONRPCRequest(body) && body.method === method;
    const isAbortable = method === undefined || abortableMethod.test(method);
    const request = exchange.toRequest({
      ...(isAbortable && { signal: exchange.signal() }),
      ...(text !== undefined && { body: text }),
    });
    this.#asked.set(request, asked);
    const response = await this.#sdk.fetch(request, body === undefined ? {} : { parsedBody: body });
    if (isListen && response.headers.get('content-type') === 'text/event-stream') {
      await this.#listen(exchange, asked.caller, body, await firstFrame(response));
    } else if (response.status === interrupted) {
      throw new LiveError('UNAVAILABLE', 'This server is shutting down.');
    } else {
      const refusal = refusalOf(body, this.#definition.log);
      await exchange.send(response, { correct: withInvalidParamsText, refusal });
    }
  }

  async completeStreams(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#open].map((stream) => stream.complete()));
  }

  async close(): Promise<void> {
    this.#direct.close();
    await this.#sdk.close();
  }

  /** `asked` is what the capabilities allow of the filter. */
  async #listen(
    exchange: HttpExchange<unknown>,
    caller: Caller,
    request: ListenRequest,
    asked: SubscriptionFilter,
  ): Promise<void> {
    const { clock } = this.#definition;
    const { id, method, params } = request;
    const startedAt = clock.now();
    const tell = (code?: string) =>
      this.#observe?.({ caller, method, params, client: clientOf(params), code, ms: clock.now() - startedAt });
    try {
      exchange.assertStreamable();
      const held = this.#hold(caller, asked);
      exchange.onClosed(() => held.release());
      const honored = await honor(this.#definition, caller, asked, () => exchange.isGone);
      try {
        if (exchange.isGone) return;
        if (this.#closing) throw new LiveError('UNAVAILABLE', 'This server is shutting down.');
        this.#streams.assertRoom();
        const open = (owner: StreamOwner) => exchange.openStream(this.#streams, owner);
        const stream = new ListenStream(this.#definition, open, { id, caller }, this.#onClose);
        this.#open.add(stream);
        await stream.begin(honored);
        tell();
      } finally {
        honored.release();
      }
    } catch (error) {
      tell(error instanceof LiveError ? error.code : 'INTERNAL');
      await exchange.send(rpcError(id, error, this.#definition.log));
    }
  }

  /** A stream and its URIs, until its response is closed. */
  #hold(caller: Caller, { resourceSubscriptions }: SubscriptionFilter): Hold {
    const { quotas } = this.#definition;
    const stream = quotas.hold(caller, 'streams', 1);
    try {
      const uris = quotas.hold(caller, 'watchedUris', new Set(resourceSubscriptions).size);
      return {
        ...uris,
        release: () => {
          stream.release();
          uris.release();
        },
      };
    } catch (error) {
      stream.release();
      throw error;
    }
  }

  /** Such a read may also ask its client something: it needs the SDK's context. */
  #isWaitingRead(method: string): boolean {
    return method === 'resources/read' && this.#definition.directory.readsMayWait === true;
  }

  readonly #onClose = (stream: ListenStream): void => {
    this.#open.delete(stream);
  };

  /** A refusal of the SDK is in its response to the client; a failure of the server is logged. */
  #report(error: Error): void {
    if (!/^Rejected|^Unsupported|^Parse error/.test(error.message) && !(error instanceof ProtocolError)) {
      this.#definition.log.error({ err: error }, 'The SDK could not serve a request.');
    }
  }

  #instanceFor(request: Request | undefined) {
    const { caller, unworded } = (request && this.#asked.get(request)) ?? unknownAsked;
    // The SDK has checked that this header and the body say the same.
    const method = request?.headers.get('mcp-method') ?? '';
    const create = registryMethod.test(method) ? createInstance : createResourceInstance;
    return create(this.#definition, {
      caller: () => caller,
      observe: this.#observe,
      startedAt: unworded?.startedAt,
      outcomeOf: () => unworded?.outcome,
    });
  }
}

const unknownAsked: Asked = { caller: { era: 'modern', transport: 'http' }, unworded: undefined };

const clientSchema = z.object({
  _meta: z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string(), version: z.string() }) }),
});

function clientOf(params: unknown): ObservedRequest['client'] {
  return clientSchema.safeParse(params).data?._meta[CLIENT_INFO_META_KEY];
}

/** Takes the filter from the SDK's acknowledgement and lets its stream go. */
async function firstFrame(response: Response): Promise<SubscriptionFilter> {
  const reader = response.body?.getReader();
  const chunk = await reader?.read();
  await reader?.cancel();
  const data = /^data: ([^\n]*)/m.exec(new TextDecoder().decode(chunk?.value))?.[1];
  return acknowledgedSchema.parse(JSON.parse(data ?? 'null')).params.notifications;
}
