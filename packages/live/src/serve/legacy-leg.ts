// 2025-era requests over HTTP: finds or opens the session that a request belongs to.
import {
  type JSONRPCRequest,
  type RequestId,
  isInitializeRequest,
  isJSONRPCRequest,
} from '@modelcontextprotocol/server';
import type { Timer } from '../time/clock.ts';
import { every } from '../time/every.ts';
import { LiveError } from '../base/error.ts';
import type { Caller, Credential } from '../resource/caller.ts';
import type { ServerDefinition } from '../definition/server-definition.ts';
import { type PlainSubscribe, plainRequest } from '../session/legacy/plain-request.ts';
import { LegacySession } from '../session/legacy/session.ts';
import type { OpenConnection } from '../session/open-connection.ts';
import type { Observe } from '../definition/observe.ts';
import type { SseStreams } from '../sse/sse-streams.ts';
import type { Hold } from '../quota/quotas.ts';
import { type HttpExchange, assertStreamable } from './exchange/http-exchange.ts';
import { noRoomRefusal, rpcError } from './exchange/rpc-error.ts';
import { WaitingCalls } from './direct/waiting-calls.ts';

/** A session idle for this long is closed if a new one would exceed the quota of the same caller. */
const replaceableMs = 60_000;
/**
 * The limit, as JSON, of what a client says about itself, which is kept as long as its session. Icons may be images.
 */
const longestIntroduction = 64 * 1024;

interface LegacyTimes {
  /** How long a session without an open stream or request is kept. */
  idleMs: number;
  keepAliveMs: number;
}

export class LegacyLeg {
  readonly #definition: ServerDefinition;
  readonly #streams: SseStreams;
  readonly #idleMs: number;
  readonly #observe: Observe | undefined;
  readonly #waiting: WaitingCalls;
  readonly #sessions = new Map<string, LegacySession>();
  #reaper: Timer | undefined;

  constructor(
    definition: ServerDefinition,
    streams: SseStreams,
    { idleMs, keepAliveMs }: LegacyTimes,
    observe?: Observe,
  ) {
    this.#definition = definition;
    this.#waiting = new WaitingCalls(definition, keepAliveMs, observe);
    this.#streams = streams;
    this.#idleMs = idleMs;
    this.#observe = observe;
  }

  get size(): number {
    return this.#sessions.size;
  }

  async handle(exchange: HttpExchange<unknown>, caller: Caller, body: unknown): Promise<void> {
    const id = exchange.header('mcp-session-id');
    if (id === undefined && isJSONRPCRequest(body) && body.method === 'initialize') {
      await this.#initialize(exchange, caller, body);
      return;
    }
    const session = id !== undefined ? this.#sessions.get(id) : undefined;
    if (session?.admits(caller)) {
      const plain = exchange.hasOneContentType() ? plainRequest(body, (name) => exchange.header(name)) : undefined;
      if (plain && session.takes(plain.id)) {
        if (plain.method === 'resources/subscribe') {
          if (await session.using(() => this.#subscribed(exchange, session, plain))) return;
        } else if (this.#waiting.take(exchange, caller, plain, session)) return;
      }
      await session.using(() => this.#continue(exchange, session, caller, body));
    } else if (id === undefined) {
      await exchange.send(refusal(400, -32000, 'Send "initialize" first and its Mcp-Session-Id with every request.'));
    } else {
      await exchange.send(sessionNotFound());
    }
  }

  connections(): OpenConnection[] {
    return [...this.#sessions.values()].map(({ connection }) => connection);
  }

  /** Ends the sessions whose credential was withdrawn. */
  async end(isWithdrawn: (auth: Credential | undefined) => boolean): Promise<void> {
    const sessions = [...this.#sessions.values()].filter(({ auth }) => isWithdrawn(auth));
    await Promise.all(sessions.map((session) => session.cut()));
  }

  /** For each session, a function that ends it. Its client gets a 404 for the next request, and initialises again. */
  ends(): (() => Promise<void>)[] {
    return [...this.#sessions.values()].map((session) => () => session.close());
  }

  async close(): Promise<void> {
    this.#reaper?.cancel();
    this.#waiting.close();
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #initialize(exchange: HttpExchange<unknown>, caller: Caller, body: JSONRPCRequest): Promise<void> {
    const { clock, log } = this.#definition;
    const startedAt = clock.now();
    if (!isInitializeRequest(body)) {
      const message = '"initialize" needs protocolVersion, capabilities and clientInfo.';
      await exchange.send(refusal(400, -32602, message, body.id));
      return;
    }
    let session: LegacySession;
    try {
      assertShort(body);
      session = this.#open(caller, await this.#takeRoom(caller));
    } catch (error) {
      const { method, params } = body;
      const code = error instanceof LiveError ? error.code : 'INTERNAL';
      this.#observe?.({ caller, method, params, code, ms: clock.now() - startedAt });
      await exchange.send(rpcError(body.id, error, log));
      return;
    }
    this.#reaper ??= every(this.#definition.clock, this.#idleMs / 10, () => this.#closeIdle());
    await session.connect();
    await session.using(() => this.#continue(exchange, session, caller, body));
    // The transport refused the request, so the client has no session id.
    if (session.transport.sessionId === undefined) await session.close();
  }

  #open(caller: Caller, held: Hold): LegacySession {
    const onClose = ({ id }: LegacySession) => {
      this.#sessions.delete(id);
      held.release();
    };
    const id = crypto.randomUUID();
    try {
      const session = new LegacySession(this.#definition, this.#streams, id, caller, onClose, this.#observe);
      this.#sessions.set(id, session);
      return session;
    } catch (error) {
      // A function of the program failed, such as `visibleTo`.
      held.release();
      throw error;
    }
  }

  async #takeRoom(caller: Caller): Promise<Hold> {
    const { limits, quotas } = this.#definition;
    if (this.#sessions.size < limits.sessions) {
      try {
        return quotas.hold(caller, 'sessions', 1);
      } catch (error) {
        // Many clients disconnect without ending their session, so an idle one makes room for a new one of the same
        // caller.
        const abandoned = this.#longestIdle(caller);
        if (abandoned === undefined) throw error;
        await abandoned.close();
        return quotas.hold(caller, 'sessions', 1);
      }
    }
    throw new LiveError('LIMIT_EXCEEDED', `This server has its limit of ${limits.sessions} sessions: try again later.`);
  }

  #longestIdle({ auth }: Caller): LegacySession | undefined {
    const moment = this.#definition.clock.now() - replaceableMs;
    const idle = [...this.#sessions.values()].filter(
      (session) => session.auth?.subject === auth?.subject && session.isIdleSince(moment),
    );
    return idle.reduce<LegacySession | undefined>(
      (longest, each) => (longest === undefined || each.lastUsed < longest.lastUsed ? each : longest),
      undefined,
    );
  }

  async #continue(
    exchange: HttpExchange<unknown>,
    session: LegacySession,
    caller: Caller,
    body: unknown,
  ): Promise<void> {
    const response = await session.transport.handleRequest(
      exchange.toRequest(),
      body === undefined ? {} : { parsedBody: body },
    );
    if (exchange.method === 'POST') exchange.onClosed(() => session.transport.responseClosed(body));
    if (exchange.method !== 'GET' || response.status !== 200) {
      const { log } = this.#definition;
      await exchange.send(response, { refusal: noRoomRefusal(body, { caller, log, observe: this.#observe }) });
      // A call goes on after its client has disconnected, and counts until it is done.
      await session.transport.whenDone(body);
      return;
    }
    // The SDK has validated the request; the stream itself is written here.
    await response.body?.cancel();
    if (session.isClosed) {
      await exchange.send(sessionNotFound());
    } else if (!exchange.isGone) {
      assertStreamable(exchange);
      session.openStream((owner, headers) => exchange.openStream(this.#streams, owner, headers));
    }
  }

  /** Answers a subscription, unless the SDK must: errors are worded there. */
  async #subscribed(
    exchange: HttpExchange<unknown>,
    session: LegacySession,
    { id, method, params, uri }: PlainSubscribe,
  ): Promise<boolean> {
    const { clock } = this.#definition;
    const startedAt = clock.now();
    try {
      await session.subscribe(uri);
    } catch {
      return false;
    }
    const { caller, client, id: sessionId } = session;
    this.#observe?.({ caller, method, params, client, sessionId, code: undefined, ms: clock.now() - startedAt });
    exchange.sendJson(`{"result":{},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
    return true;
  }

  #closeIdle(): void {
    const moment = this.#definition.clock.now() - this.#idleMs;
    for (const session of this.#sessions.values()) if (session.isIdleSince(moment)) void session.close();
    if (this.#sessions.size > 0) return;
    this.#reaper?.cancel();
    this.#reaper = undefined;
  }
}

function sessionNotFound(): Response {
  return refusal(404, -32001, 'Session not found: it ended or never existed. Send "initialize" again.');
}

function refusal(status: number, code: number, message: string, id: RequestId | null = null): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status });
}

function assertShort({ params }: JSONRPCRequest): void {
  if (JSON.stringify(params).length <= longestIntroduction) return;
  throw new LiveError('LIMIT_EXCEEDED', `"initialize" may have ${longestIntroduction} characters of params.`);
}
