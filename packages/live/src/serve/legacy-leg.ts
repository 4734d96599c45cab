// 2025-era requests over HTTP: finds or opens the session they belong to.
import {
  type JSONRPCRequest,
  type RequestId,
  isInitializeRequest,
  isJSONRPCRequest,
} from '@modelcontextprotocol/server';
import type { Timer } from '../time/clock.ts';
import { LiveError } from '../error.ts';
import type { Caller, Credential } from '../resource/caller.ts';
import type { Definition } from '../definition/definition.ts';
import { LegacySession } from '../session/legacy/session.ts';
import type { Observe } from '../definition/observe.ts';
import type { SseStreams } from '../sse/sse-streams.ts';
import type { Hold } from '../quota/quotas.ts';
import type { HttpExchange } from './http-exchange.ts';
import { refusalOf, rpcError } from './rpc-error.ts';

/** A session that was idle for so long gives way to a new one of its caller, where there is no room for both. */
const replaceableMs = 60_000;

export class LegacyLeg {
  readonly #definition: Definition;
  readonly #streams: SseStreams;
  readonly #idleMs: number;
  readonly #observe: Observe | undefined;
  readonly #sessions = new Map<string, LegacySession>();
  #reaper: Timer | undefined;

  constructor(definition: Definition, streams: SseStreams, idleMs: number, observe?: Observe) {
    this.#definition = definition;
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
      await session.using(() => this.#continue(exchange, session, body));
    } else if (id === undefined) {
      await exchange.send(refusal(400, -32000, 'Send "initialize" first and its Mcp-Session-Id with every request.'));
    } else {
      await exchange.send(sessionNotFound());
    }
  }

  /** Ends the sessions that rest on such a credential. */
  async end(isWithdrawn: (auth: Credential | undefined) => boolean): Promise<void> {
    const sessions = [...this.#sessions.values()].filter(({ auth }) => isWithdrawn(auth));
    await Promise.all(sessions.map((session) => session.cut()));
  }

  async close(): Promise<void> {
    this.#reaper?.cancel();
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }

  async #initialize(exchange: HttpExchange<unknown>, caller: Caller, body: JSONRPCRequest): Promise<void> {
    const { log } = this.#definition;
    if (!isInitializeRequest(body)) {
      const message = '"initialize" needs protocolVersion, capabilities and clientInfo.';
      await exchange.send(refusal(400, -32602, message, body.id));
      return;
    }
    let held: Hold;
    try {
      held = await this.#takeRoom(caller);
    } catch (error) {
      await exchange.send(rpcError(body.id, error, log));
      return;
    }
    const onClose = ({ id }: LegacySession) => {
      this.#sessions.delete(id);
      held.release();
    };
    const session = new LegacySession(
      this.#definition,
      this.#streams,
      crypto.randomUUID(),
      caller,
      onClose,
      this.#observe,
    );
    this.#sessions.set(session.id, session);
    this.#armReaper();
    await session.connect();
    await session.using(() => this.#continue(exchange, session, body));
    // The transport refused the request, so no client knows of this session.
    if (session.transport.sessionId === undefined) await session.close();
  }

  async #takeRoom(caller: Caller): Promise<Hold> {
    const { limits, quotas } = this.#definition;
    if (this.#sessions.size < limits.sessions) {
      try {
        return quotas.hold(caller, 'sessions', 1);
      } catch (error) {
        // Many clients leave without ending their session: an idle one gives way to a new one of the same caller.
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

  async #continue(exchange: HttpExchange<unknown>, session: LegacySession, body: unknown): Promise<void> {
    const response = await session.transport.handleRequest(
      exchange.toRequest(),
      body === undefined ? {} : { parsedBody: body },
    );
    if (exchange.method === 'POST') exchange.onClosed(() => session.transport.responseClosed(body));
    if (exchange.method !== 'GET' || response.status !== 200) {
      await exchange.send(response, { refusal: refusalOf(body, this.#definition.log) });
      return;
    }
    // The SDK has checked the request; the stream itself is ours.
    await response.body?.cancel();
    if (session.isClosed) {
      await exchange.send(sessionNotFound());
    } else if (!exchange.isGone) {
      exchange.assertStreamable();
      session.openStream((owner, headers) => exchange.openStream(this.#streams, owner, headers));
    }
  }

  #armReaper(): void {
    if (this.#reaper) return;
    this.#reaper = this.#definition.clock.after(this.#idleMs / 10, () => {
      this.#reaper = undefined;
      const moment = this.#definition.clock.now() - this.#idleMs;
      for (const session of this.#sessions.values()) if (session.isIdleSince(moment)) void session.close();
      if (this.#sessions.size > 0) this.#armReaper();
    });
  }
}

function sessionNotFound(): Response {
  return refusal(404, -32001, 'Session not found: it ended or never was. Send "initialize" again.');
}

function refusal(status: number, code: number, message: string, id: RequestId | null = null): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status });
}
