// All agent sessions. The built-in transcript session comes first and always exists.
import { randomUUID } from 'node:crypto';
import { type Hold, LiveError } from '@tidings/live';
import type { AgentPort } from './port/agent-port.ts';
import type { AttachRequest } from '@tidings/client/contract';
import { AgentSession, type AgentSessionOptions, type AgentDeps } from './agent-session.ts';
import type { KeptSessions } from './kept-sessions.ts';
import { type DueNotification, notificationMessages } from './message/notification-messages.ts';
import { type PortTerms, openPort } from './port/open-port.ts';
import { transcriptPort } from './port/transcript-port.ts';

interface AttachTerms extends Omit<PortTerms, 'clock'> {
  /**
   * Stores requests in the data folder. Undefined: in a cluster, the nodes store them in the database; otherwise they
   * are not stored.
   */
  kept?: KeptSessions | undefined;
  /** A session was removed. */
  detached(this: void, id: string): void;
}

const mostSessions = 200;

export class AgentSessions {
  readonly #deps: AgentDeps;
  readonly #terms: AttachTerms;
  readonly #sessions = new Map<string, AgentSession>();
  readonly #held = new Map<string, Hold>();

  constructor(deps: AgentDeps, terms: AttachTerms) {
    this.#deps = deps;
    this.#terms = terms;
    this.add(transcriptPort(), { id: 'transcript' });
  }

  list(): ReturnType<AgentSession['status']>[] {
    return [...this.#sessions.values()].map((session) => session.status());
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  get(id: string): AgentSession {
    const session = this.#sessions.get(id);
    if (session) return session;
    throw new LiveError('RESOURCE_NOT_FOUND', `There is no session "${id}". See /api/sessions.`);
  }

  /** Sends a due notification to a session. Resolves when it has arrived. */
  async notify(id: string, due: DueNotification): Promise<void> {
    const session = this.#sessions.get(id);
    if (session) return session.notify(notificationMessages(due));
    throw new LiveError('UNAVAILABLE', `The hub has no session "${id}" now. See /api/sessions.`);
  }

  /** Adds a session with the caller's own `AgentPort`. */
  add(port: AgentPort, options: Partial<AgentSessionOptions> = {}): AgentSession {
    if (this.#sessions.size >= mostSessions) this.#forgetEnded();
    if (this.#sessions.size >= mostSessions) {
      throw new LiveError('LIMIT_EXCEEDED', `There are ${mostSessions} sessions already: detach some first.`);
    }
    const id = options.id ?? randomUUID();
    const session = new AgentSession({ ...options, id }, port, this.#deps);
    this.#sessions.set(id, session);
    return session;
  }

  /** `held` is released when the session has ended. `earlier`: the session was another node's before. */
  async attach(request: AttachRequest, held?: Hold, earlier?: { id: string; after: string }): Promise<AgentSession> {
    try {
      const session = await this.#open(request, earlier);
      if (session.isOver) held?.release();
      else if (held) this.#held.set(session.id, held);
      return session;
    } catch (error) {
      held?.release();
      throw error;
    }
  }

  /** Attaches again the sessions that were attached when the hub stopped. */
  async restore(): Promise<void> {
    for (const { id, request } of (await this.#terms.kept?.all()) ?? []) {
      try {
        await this.#add(request, { id, isRestored: true });
      } catch (error) {
        // The request is kept: only a key or an address may be missing at the moment.
        this.#deps.log.warn({ err: error, session: id }, 'An agent session cannot be attached again.');
      }
    }
  }

  async #open(request: AttachRequest, earlier?: { id: string; after: string }): Promise<AgentSession> {
    if (earlier) return this.#add(request, earlier);
    const { id = randomUUID() } = request;
    if (this.#sessions.has(id)) throw sessionExists(id);
    const session = await this.#add(request, { id });
    try {
      await this.#terms.kept?.keep({ id, request });
    } catch (error) {
      await this.#remove(session);
      throw error;
    }
    return session;
  }

  async #add(
    request: AttachRequest,
    more: Pick<AgentSessionOptions, 'id' | 'after' | 'isRestored'>,
  ): Promise<AgentSession> {
    const { per_minute: perMinute, servers, uris, announce, kind } = request;
    const { id } = more;
    // A message to Gemini interrupts its answer.
    const when = request.when ?? (kind === 'gemini-live' ? 'between-turns' : undefined);
    const { clock } = this.#deps;
    const port = await openPort(request, id, { ...this.#terms, clock });
    const onOver = () => {
      this.#release(id);
      void this.#terms.kept?.forget(id).catch(() => undefined);
    };
    return this.add(port, { when, perMinute, servers, uris, announce, onOver, ...more });
  }

  async detach(id: string): Promise<void> {
    const session = this.get(id);
    if (id === 'transcript') throw new LiveError('INVALID_PARAMS', 'The built-in transcript cannot be detached.');
    await this.#terms.kept?.forget(id);
    await this.#remove(session);
  }

  async #remove(session: AgentSession): Promise<void> {
    const { id } = session;
    this.#sessions.delete(id);
    this.#terms.detached(id);
    this.#release(id);
    await session.detach();
  }

  /** Ends the use of the quota of its caller. */
  #release(id: string): void {
    this.#held.get(id)?.release();
    this.#held.delete(id);
  }

  /** Removes the session that has ended first, which was kept for its transcript. */
  #forgetEnded(): void {
    const ended = [...this.#sessions.values()].find(({ isOver }) => isOver);
    if (ended) void this.#remove(ended);
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.detach()));
    await this.#terms.kept?.close();
  }
}

export function sessionExists(id: string): LiveError {
  return new LiveError('INVALID_PARAMS', `id: there is a session "${id}" already.`);
}
