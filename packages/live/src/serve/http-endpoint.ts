// One HTTP endpoint for both eras: checks the caller, reads the body, and passes the request to `ModernLeg` or
// `LegacyLeg`. `NodeEndpoint` and `WebEndpoint` extend it.
import { isJSONRPCRequest, isJsonContentType } from '@modelcontextprotocol/server';
import { isObject } from '../portable/is-object.ts';
import { parsedJson } from '../portable/parsed-json.ts';
import { oneByOne } from '../time/one-by-one.ts';
import { endsWithin } from '../time/timeout.ts';
import { LimitExceeded, LiveError } from '../base/error.ts';
import type { Caller, Credential } from '../resource/caller.ts';
import type { ServerDefinition } from '../definition/server-definition.ts';
import { type Observe, type ObservedRequest, unfailingObserve } from '../definition/observe.ts';
import type { OpenConnection } from '../session/open-connection.ts';
import { tooDeep } from '../session/nesting.ts';
import { SseStreams } from '../sse/sse-streams.ts';
import { internalError } from '../definition/answer/wire-error.ts';
import { credentialOf } from './admission/authenticate.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import type { Guard } from './admission/guard.ts';
import { type HttpExchange, Refusal } from './exchange/http-exchange.ts';
import { LegacyLeg } from './legacy-leg.ts';
import { ModernLeg } from './modern-leg.ts';
import { plainHttpRequest, type Recognise } from './exchange/plain-http-request.ts';
import { eraOf } from './exchange/request-era.ts';
import { rpcError } from './exchange/rpc-error.ts';

/** How long `close` waits for requests in progress. */
const closeGraceMs = 1000;

/** The differences between Node and web requests. */
interface SourceDefaults<Source> {
  readonly guard: Guard<Source>;
  addressOf(this: void, source: Source): string | undefined;
}

export class HttpEndpoint<Source> {
  readonly #definition: ServerDefinition;
  readonly #options: EndpointOptions<Source>;
  readonly #guard: Guard<Source>;
  readonly #addressOf: (source: Source) => string | undefined;
  readonly #observe: Observe | undefined;
  readonly #streams: SseStreams;
  readonly #modern: ModernLeg;
  readonly #legacy: LegacyLeg;
  /**
   * Callers of requests that were reported to the observer. Requests refused before the SDK sees them are reported
   * later.
   */
  readonly #observed = new WeakSet<Caller>();
  /** Requests in progress, without streams. */
  readonly #inFlight = new Set<Promise<void>>();
  #closing = false;

  /** `recognise` says which requests are answered without the SDK. */
  constructor(
    definition: ServerDefinition,
    options: EndpointOptions<Source>,
    defaults: SourceDefaults<Source>,
    recognise: Recognise = plainHttpRequest,
  ) {
    const { keepAliveMs = 15_000, sessionIdleMs = 30 * 60_000 } = options;
    this.#definition = definition;
    this.#options = options;
    this.#guard = options.guard ?? defaults.guard;
    this.#addressOf = options.addressOf ?? defaults.addressOf;
    this.#streams = new SseStreams({
      clock: definition.clock,
      limit: definition.limits.streams,
      keepAliveMs,
    });
    const observe = options.observe && unfailingObserve(options.observe, definition.log);
    this.#observe = observe;
    const noting = (request: ObservedRequest) => {
      this.#observed.add(request.caller);
      observe?.(request);
    };
    this.#modern = new ModernLeg(definition, this.#streams, keepAliveMs, recognise, observe && noting);
    this.#legacy = new LegacyLeg(definition, this.#streams, { idleMs: sessionIdleMs, keepAliveMs }, observe && noting);
  }

  /** The number of open streams and 2025-era sessions. */
  get open(): { streams: number; sessions: number } {
    return { streams: this.#streams.size, sessions: this.#legacy.size };
  }

  /** The open streams and 2025-era sessions: the client of each, and what it watches. */
  connections(): OpenConnection[] {
    return [...this.#modern.connections(), ...this.#legacy.connections()];
  }

  /** Answers one request. It never rejects. */
  protected async serve(exchange: HttpExchange<Source>): Promise<void> {
    const answering = this.#answer(exchange);
    this.#inFlight.add(answering);
    await answering;
    this.#inFlight.delete(answering);
  }

  /** Ends the 2025-era sessions of callers whose credential was withdrawn; their next request would be refused. */
  async endSessions(isWithdrawn: (auth: Credential | undefined) => boolean): Promise<void> {
    await this.#legacy.end(isWithdrawn);
  }

  /** Ends all streams and sessions one by one within this time, so that clients do not all reconnect at once. */
  async drain(ms: number): Promise<void> {
    await oneByOne(this.#definition.clock, ms, [...this.#modern.ends(), ...this.#legacy.ends()]);
  }

  /** Sends pending notifications, then ends all streams and sessions. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#modern.completeStreams();
    await this.#whenAnswered();
    await this.#modern.close();
    await this.#legacy.close();
  }

  async #whenAnswered(): Promise<void> {
    await endsWithin(this.#definition.clock, closeGraceMs, Promise.all(this.#inFlight));
  }

  async #answer(exchange: HttpExchange<Source>): Promise<void> {
    const known: KnownRequest = { startedAt: this.#definition.clock.now() };
    try {
      await this.#handle(exchange, known);
      if (exchange.status >= 400) this.#observeRefusal(exchange, known, `HTTP_${exchange.status}`);
    } catch (error) {
      this.#observeRefusal(exchange, known, error instanceof LiveError ? error.code : 'INTERNAL');
      if (error instanceof LiveError) exchange.sendError(error);
      // A client that left in the middle of its request gets no response.
      else if (!exchange.isInterrupted) exchange.sendError(internalError(error, {}, this.#definition.log));
    }
  }

  #observeRefusal(exchange: HttpExchange<Source>, { caller, body, startedAt }: KnownRequest, code: string): void {
    const observe = this.#observe;
    if (!observe || (caller && this.#observed.has(caller))) return;
    const { method = `${exchange.method} ${exchange.path}`, params } = requestIn(body);
    const ms = this.#definition.clock.now() - startedAt;
    observe({ caller: caller ?? this.#unknownCaller(exchange), method, params, code, ms });
  }

  /** The caller of a request that was refused before it was authenticated. */
  #unknownCaller({ source }: HttpExchange<Source>): Caller {
    const unknown = { era: 'modern', transport: 'http' } as const;
    try {
      return { ...unknown, address: this.#addressOf(source) };
    } catch {
      // `addressOf` itself may have failed.
      return unknown;
    }
  }

  async #handle(exchange: HttpExchange<Source>, known: KnownRequest): Promise<void> {
    this.#assertOpen();
    const { source, method } = exchange;
    this.#guard(source);
    if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') {
      const message = 'MCP is spoken by POST, and by GET and DELETE for sessions.';
      throw new Refusal(405, 'INVALID_PARAMS', message, { Allow: 'GET, POST, DELETE' });
    }
    const { authenticate, challenge } = this.#options;
    const auth = authenticate && (await credentialOf(source, authenticate, { challenge, log: this.#definition.log }));
    const caller: Caller = { era: 'modern', transport: 'http', auth, address: this.#addressOf(source) };
    known.caller = caller;
    await this.#within(caller, exchange, (refusal) => this.#handleFor(caller, exchange, known, refusal));
  }

  /**
   * Runs one request within the caller's quotas. The body of a request over them is read too, so that the error has its
   * id.
   */
  async #within(
    caller: Caller,
    exchange: HttpExchange<Source>,
    work: (refusal: LimitExceeded | undefined) => Promise<void>,
  ): Promise<void> {
    let end: () => void;
    try {
      end = this.#definition.quotas.request(caller);
    } catch (error) {
      if (!(error instanceof LimitExceeded)) throw error;
      return work(error);
    }
    try {
      await work(undefined);
    } finally {
      if (exchange.isKept) exchange.onClosed(end);
      else end();
    }
  }

  async #handleFor(
    caller: Caller,
    exchange: HttpExchange<Source>,
    known: KnownRequest,
    refusal: LimitExceeded | undefined,
  ): Promise<void> {
    if (exchange.method !== 'POST') {
      if (refusal) throw refusal;
      this.#assertOpen();
      known.caller = { ...caller, era: 'legacy' };
      await this.#legacy.handle(exchange, known.caller, undefined);
      return;
    }
    // The SDK refuses other media types without reading the body, so it is not read here either.
    if (!isJsonContentType(exchange.header('content-type') ?? null)) {
      if (refusal) throw refusal;
      await this.#modern.handle(exchange, caller, undefined);
      return;
    }
    const { body, text } = await this.#read(exchange);
    known.body = body;
    this.#assertOpen();
    if (refusal) return this.#refuse(exchange, known, refusal);
    const answered = this.#admitBatch(caller, body);
    try {
      await this.#hand(exchange, caller, known, text);
    } finally {
      answered();
    }
  }

  async #hand(exchange: HttpExchange<Source>, caller: Caller, known: KnownRequest, text: string): Promise<void> {
    const { body } = known;
    if (body === undefined) {
      await this.#modern.handle(exchange, caller, undefined, text);
    } else if (eraOf(exchange, body) === 'legacy') {
      known.caller = { ...caller, era: 'legacy' };
      await this.#legacy.handle(exchange, known.caller, body);
    } else {
      await this.#modern.handle(exchange, caller, body);
    }
  }

  #refuse(exchange: HttpExchange<Source>, known: KnownRequest, refusal: LimitExceeded): Promise<void> {
    const { body } = known;
    // A batch, or a message that is not a request, has no single id to answer.
    if (!isJSONRPCRequest(body)) throw refusal;
    this.#observeRefusal(exchange, known, refusal.code);
    return exchange.send(rpcError(body.id, refusal, this.#definition.log));
  }

  /** Each message of a batch counts as a request; the first is counted already. */
  #admitBatch(caller: Caller, body: unknown): () => void {
    if (!Array.isArray(body) || body.length < 2) return () => undefined;
    const { limits, quotas } = this.#definition;
    if (body.length > limits.batch) {
      const message = `One body may have ${limits.batch} messages, and this one has ${body.length}: send several.`;
      throw new Refusal(413, 'LIMIT_EXCEEDED', message);
    }
    return quotas.request(caller, body.length - 1);
  }

  #assertOpen(): void {
    if (this.#closing) throw new LiveError('UNAVAILABLE', 'This server is shutting down.');
  }

  /** The parsed body, or undefined if it is not JSON, and its text. */
  async #read(exchange: HttpExchange<Source>): Promise<{ body: unknown; text: string }> {
    const read = await exchange.readBody(this.#definition.limits.bodyBytes);
    if ('parsed' in read) return { body: read.parsed, text: '' };
    const { text } = read;
    const body = parsedJson(text);
    const refusal = tooDeep(body, text.length);
    if (refusal) throw refusal;
    return { body, text };
  }
}

/** What is known of a request so far. */
interface KnownRequest {
  readonly startedAt: number;
  caller?: Caller;
  body?: unknown;
}

function requestIn(body: unknown): { method?: string; params?: unknown } {
  if (!isObject(body) || typeof body['method'] !== 'string') return {};
  return { method: body['method'], params: body['params'] };
}
