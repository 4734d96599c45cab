// One endpoint for both eras: checks the caller, reads the body, and hands the request to the leg it
// belongs to. Mounts in any Node server as `(req, res)`.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { classifyInboundRequest, isJSONRPCRequest, isJsonContentType } from '@modelcontextprotocol/server';
import { endsWithin } from '../time/timeout.ts';
import { LimitExceeded, LiveError } from '../error.ts';
import type { Caller, Credential } from '../resource/caller.ts';
import type { Definition } from '../definition/definition.ts';
import type { Observe, ObservedRequest } from '../definition/observe.ts';
import { modernVersion } from '../session/modern/plain-request.ts';
import { tooDeep } from '../session/nesting.ts';
import { SseStreams } from '../sse/sse-streams.ts';
import { surprise } from '../definition/wire-error.ts';
import { type AnswerRoom, Refusal, hearOfClose, readBody, rpcError, sendError, sendResponse } from './exchange.ts';
import { type Guard, type GuardOptions, createGuard } from './guard.ts';
import { LegacyLeg } from './legacy-leg.ts';
import { ModernLeg } from './modern-leg.ts';
import { plainHttpRequest, type Recognise } from './plain-http-request.ts';

export interface EndpointOptions extends GuardOptions {
  /** Replaces the check of Host and Origin, for a server that makes it for all its routes before they get here. */
  guard?: Guard;
  /** The caller of this request. Throw, or return nothing, to refuse it. Default: every caller is admitted. */
  authenticate?: (req: IncomingMessage) => Credential | undefined | Promise<Credential | undefined>;
  /** What a refused caller is told to send, as `WWW-Authenticate`. Default: `Bearer`. */
  challenge?: string;
  /** Told of every request once it was answered, also of those that were refused. For logs and audits. */
  observe?: Observe;
  /**
   * Called before a large answer is written, with its size in bytes: it stays in memory until the client has read it.
   * Throw `LimitExceeded` to refuse it.
   */
  room?: AnswerRoom;
  /** Where a request came from, for `caller.address`. Default: the other end of its connection. */
  addressOf?: (req: IncomingMessage) => string | undefined;
  /** How often a quiet stream gets a comment; a peer that takes nothing for two of them is disconnected. */
  keepAliveMs?: number;
  /** How long a 2025-era session without an open stream or request is kept. */
  sessionIdleMs?: number;
}

/** How long a shutdown waits for answers that are still being made. */
const closeGraceMs = 1000;

export class HttpEndpoint {
  readonly #definition: Definition;
  readonly #options: EndpointOptions;
  readonly #guard: Guard;
  readonly #streams: SseStreams;
  readonly #modern: ModernLeg;
  readonly #legacy: LegacyLeg;
  /** Whose requests the observer has been told of: what is refused before the SDK sees it is told of afterwards. */
  readonly #told = new WeakSet<Caller>();
  /** Requests being answered; streams are not among them. */
  readonly #inFlight = new Set<Promise<void>>();
  #closing = false;

  /** `recognise` says which requests are answered without the SDK. */
  constructor(definition: Definition, options: EndpointOptions = {}, recognise: Recognise = plainHttpRequest) {
    const { keepAliveMs = 15_000, sessionIdleMs = 30 * 60_000 } = options;
    this.#definition = definition;
    this.#options = options;
    this.#guard = options.guard ?? createGuard(options);
    this.#streams = new SseStreams({
      clock: definition.clock,
      limit: definition.limits.streams,
      keepAliveMs,
    });
    const { observe, room } = options;
    const noting = (request: ObservedRequest) => {
      this.#told.add(request.caller);
      observe?.(request);
    };
    const told = { observe: observe && noting, room };
    this.#modern = new ModernLeg(definition, this.#streams, keepAliveMs, recognise, told);
    this.#legacy = new LegacyLeg(definition, this.#streams, sessionIdleMs, told);
  }

  /** Open streams and 2025-era sessions. */
  get open(): { streams: number; sessions: number } {
    return { streams: this.#streams.size, sessions: this.#legacy.size };
  }

  /**
   * The `(req, res)` handler. It never rejects. A body that was read before is taken from `req.body`, or from `body`
   * where a framework keeps it elsewhere: parsed, as text or as bytes.
   */
  readonly handle = async (req: IncomingMessage, res: ServerResponse, body?: unknown): Promise<void> => {
    // Middleware gets a function as its third argument.
    const answering = this.#answer(req, res, typeof body === 'function' ? undefined : body);
    this.#inFlight.add(answering);
    await answering;
    this.#inFlight.delete(answering);
  };

  /** Ends the 2025-era sessions of callers whose credential no longer holds; their next request would be refused. */
  async endSessions(isWithdrawn: (auth: Credential | undefined) => boolean): Promise<void> {
    await this.#legacy.end(isWithdrawn);
  }

  /** Ends every stream with what is still due, and every session. */
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

  async #answer(req: IncomingMessage, res: ServerResponse, given: unknown): Promise<void> {
    const exchange: Exchange = { startedAt: this.#definition.clock.now(), given };
    try {
      hearOfClose(res);
      await this.#handle(req, res, exchange);
      if (res.statusCode >= 400) this.#tellRefusal(req, exchange, `HTTP_${res.statusCode}`);
    } catch (error) {
      this.#tellRefusal(req, exchange, error instanceof LiveError ? error.code : 'INTERNAL');
      if (error instanceof LiveError) sendError(res, error);
      // Otherwise the client disconnected in the middle of its own request, and there is no response to send.
      else if (!req.destroyed || req.complete) sendError(res, surprise(error, {}, this.#definition.log));
    }
  }

  #tellRefusal(req: IncomingMessage, { caller, body, startedAt }: Exchange, code: string): void {
    const { observe, addressOf = peerOf } = this.#options;
    if (!observe || (caller && this.#told.has(caller))) return;
    const { method = `${req.method} ${pathOf(req)}`, params } = requestIn(body);
    const unknown = { era: 'modern', transport: 'http', address: addressOf(req) } as const;
    observe({ caller: caller ?? unknown, method, params, code, ms: this.#definition.clock.now() - startedAt });
  }

  async #handle(req: IncomingMessage, res: ServerResponse, exchange: Exchange): Promise<void> {
    this.#assertOpen();
    this.#guard(req);
    if (req.method !== 'POST' && req.method !== 'GET' && req.method !== 'DELETE') {
      res.setHeader('Allow', 'GET, POST, DELETE');
      throw new Refusal(405, 'INVALID_PARAMS', 'MCP is spoken by POST, and by GET and DELETE for sessions.');
    }
    const { addressOf = peerOf } = this.#options;
    const auth = this.#options.authenticate && (await this.#authenticate(req, res, this.#options.authenticate));
    const caller: Caller = { era: 'modern', transport: 'http', auth, address: addressOf(req) };
    exchange.caller = caller;
    await this.#within(caller, (refusal) => this.#handleFor(caller, req, res, exchange, refusal));
  }

  /** Runs one request within the caller's quotas. One that exceeds them is read all the same, to be answered by its id. */
  async #within(caller: Caller, work: (refusal: LimitExceeded | undefined) => Promise<void>): Promise<void> {
    let end: (() => void) | undefined;
    try {
      end = this.#definition.quotas.request(caller);
    } catch (error) {
      if (!(error instanceof LimitExceeded)) throw error;
      return work(error);
    }
    try {
      await work(undefined);
    } finally {
      end();
    }
  }

  async #handleFor(
    caller: Caller,
    req: IncomingMessage,
    res: ServerResponse,
    exchange: Exchange,
    refusal: LimitExceeded | undefined,
  ): Promise<void> {
    if (req.method !== 'POST') {
      if (refusal) throw refusal;
      this.#assertOpen();
      exchange.caller = { ...caller, era: 'legacy' };
      await this.#legacy.handle(req, res, exchange.caller, undefined);
      return;
    }
    // The SDK refuses another media type without looking at the body, so none is read.
    if (!isJsonContentType(req.headers['content-type'] ?? null)) {
      if (refusal) throw refusal;
      await this.#modern.handle(req, res, caller, undefined);
      return;
    }
    const { body, text } = await this.#read(req, exchange.given);
    exchange.body = body;
    this.#assertOpen();
    if (refusal) return this.#refuse(req, res, exchange, refusal);
    this.#assertBatch(caller, body);
    if (body === undefined) {
      await this.#modern.handle(req, res, caller, undefined, text);
    } else if (classify(req, body) === 'legacy') {
      exchange.caller = { ...caller, era: 'legacy' };
      await this.#legacy.handle(req, res, exchange.caller, body);
    } else {
      await this.#modern.handle(req, res, caller, body);
    }
  }

  #refuse(req: IncomingMessage, res: ServerResponse, exchange: Exchange, refusal: LimitExceeded): Promise<void> {
    const { body } = exchange;
    // A batch, or what is no request, has no one id to answer.
    if (!isJSONRPCRequest(body)) throw refusal;
    this.#tellRefusal(req, exchange, refusal.code);
    return sendResponse(res, rpcError(body.id, refusal, this.#definition.log));
  }

  /** The messages of a batch count as requests of their own. */
  #assertBatch(caller: Caller, body: unknown): void {
    if (!Array.isArray(body)) return;
    const { limits, quotas } = this.#definition;
    if (body.length > limits.batch) {
      const message = `One body may have ${limits.batch} messages, and this one has ${body.length}: send several.`;
      throw new Refusal(413, 'LIMIT_EXCEEDED', message);
    }
    quotas.request(caller, body.length)();
  }

  #assertOpen(): void {
    if (this.#closing) throw new LiveError('UNAVAILABLE', 'This server is shutting down.');
  }

  /** The parsed body; only its text where it is no JSON. */
  async #read(req: IncomingMessage, given: unknown): Promise<{ body: unknown; text: string }> {
    // Something in front of us, such as a framework's body parser, has read it already.
    const readBefore = given ?? ('body' in req ? req.body : undefined);
    const textBefore = textOf(readBefore);
    if (readBefore !== undefined && textBefore === undefined) return { body: readBefore, text: '' };
    // It would never come.
    if (textBefore === undefined && req.readableDidRead) throw new Refusal(500, 'INTERNAL', bodyIsGone);
    const text = textBefore ?? (await readBody(req, this.#definition.limits.bodyBytes));
    const body = parseJson(text);
    const refusal = tooDeep(body, text.length);
    if (refusal) throw refusal;
    return { body, text };
  }

  async #authenticate(req: IncomingMessage, res: ServerResponse, authenticate: Authenticate): Promise<Credential> {
    const { challenge = 'Bearer' } = this.#options;
    const credential = await this.#credentialOf(req, authenticate);
    if (credential) return credential;
    res.setHeader('WWW-Authenticate', challenge);
    throw new Refusal(401, 'PERMISSION_DENIED', 'This server needs credentials: send an Authorization header.');
  }

  async #credentialOf(req: IncomingMessage, authenticate: Authenticate): Promise<Credential | undefined> {
    let credential: Credential | undefined;
    try {
      credential = await authenticate(req);
    } catch (error) {
      // A limit is answered as such, not as a wrong credential.
      if (error instanceof LimitExceeded) throw error;
      this.#definition.log.warn({ err: error }, 'authenticate refused a request.');
      return undefined;
    }
    assertExpiry(credential?.expiresAt);
    return credential;
  }
}

const bodyIsGone =
  'The body of this request was read before it got here: mount the endpoint before what reads bodies, leave the body in req.body, or hand it to handle(req, res, body).';

/** A body that was read, but not parsed. */
function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  return ArrayBuffer.isView(body) ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString() : undefined;
}

type Authenticate = NonNullable<EndpointOptions['authenticate']>;

/** What is known of a request so far. */
interface Exchange {
  readonly startedAt: number;
  /** The body, where it was handed over. */
  readonly given: unknown;
  caller?: Caller;
  body?: unknown;
}

function peerOf({ socket }: IncomingMessage): string | undefined {
  return socket.remoteAddress;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?')[0] ?? '/';
}

function requestIn(body: unknown): { method?: string; params?: unknown } {
  if (typeof body !== 'object' || body === null || !('method' in body) || typeof body.method !== 'string') return {};
  return { method: body.method, params: 'params' in body ? body.params : undefined };
}

/** Seconds, as tokens carry them, would be a moment in 1970: every stream would end at once. */
function assertExpiry(expiresAt: number | undefined): void {
  if (expiresAt === undefined || expiresAt > 1e11) return;
  throw new TypeError('A credential\u2019s expiresAt is in milliseconds since the epoch.');
}

function classify(req: IncomingMessage, body: unknown): 'legacy' | 'modern' | 'reject' {
  // With this header a request is a modern one, or refused as one: the SDK need not look at it twice.
  if (req.headers['mcp-protocol-version'] === modernVersion && isRequestLike(body)) return 'modern';
  const header = (name: string) => [req.headers[name]].flat()[0];
  const version = header('mcp-protocol-version');
  const method = header('mcp-method');
  return classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    body,
  }).kind;
}

function isRequestLike(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && 'id' in body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
