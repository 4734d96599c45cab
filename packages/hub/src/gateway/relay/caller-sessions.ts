// Sessions with 2025-era servers that belong to one caller each, because such a session has the capabilities of one
// client. A session serves one call at a time, so that the server's questions are known to belong to that call. Servers
// keep state in a session (a login, an open page), so a caller's first session is kept for its later calls;
// simultaneous calls get further sessions for a while.
import { randomUUID } from 'node:crypto';
import { type LoggingLevel, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { type Clock, LiveError } from '@tidings/live';
import type { PlainContext } from '@tidings/live/internal';
import { WakeUp } from '@tidings/live/time';
import type { OwnSession } from '@tidings/track/internal';
import { hasShare } from './fair-share.ts';
import type { KeepTask, OwnTask } from './own-task.ts';
import {
  type PooledSession,
  type SessionCall,
  type SessionServer,
  isFree,
  isUnused,
  longestHeld,
  poolKey,
  sharerOf,
} from './pooled-session.ts';
import { markOf, relayedCapabilities } from './relayed-request.ts';
import { SessionTasks } from './session-tasks.ts';

/** Most open sessions of one server, shared by its callers, and of one caller, with all servers. */
const mostPerServer = 32;
const mostPerCaller = 16;
/** How long an unused session is kept for its caller. It is not known when a modern caller has left. */
const idleMs = { legacy: 30 * 60_000, modern: 10 * 60_000 };
/** How long a further session, opened for simultaneous calls, is kept. */
const spareIdleMs = 30_000;
/** How long a call waits for a session if no more can be opened. */
const waitMs = 30_000;

export interface Lease {
  session: OwnSession;
  /** Whether earlier calls used the session, so that the server may have ended it meanwhile. */
  isUsed: boolean;
  /** Keeps the session for the task that the call has become. */
  keepTask: KeepTask;
  /** `isClean`: the server has finished the call, so the session can serve another. */
  release(isClean: boolean): void;
}

/** The session of a task. */
export interface TaskSession extends Pick<OwnSession, 'work'> {
  /** Undefined once the caller has the result, or gave the task up. */
  readonly task: OwnTask | undefined;
  /** Ends the task: the caller requests nothing more about it. */
  finished(): void;
}

export class CallerSessions {
  readonly #clock: Clock;
  readonly #members = new Set<PooledSession>();
  /** Wakes the calls that wait for a session when one is free or has ended. */
  readonly #wakeUp: WakeUp;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wakeUp = new WakeUp(clock);
  }

  get size(): number {
    return this.#members.size;
  }

  /** Takes a session for this call alone. Waits if there is none, and rejects if that takes too long. */
  async take(upstream: SessionServer, context: PlainContext, call: SessionCall): Promise<Lease> {
    const key = poolKey(context);
    const latest = this.#clock.now() + waitMs;
    for (;;) {
      const free = [...this.#members].find((each) => each.upstream === upstream && each.key === key && isFree(each));
      const member = free ?? this.#admit(upstream, key, context);
      if (member) return this.#begin(member, context, call);
      const leftMs = latest - this.#clock.now();
      if (leftMs <= 0) throw noRoom(upstream);
      await this.#wakeUp.wait({ ms: leftMs, signal: call.signal });
      call.signal.throwIfAborted();
    }
  }

  /** The session of a task; undefined if the session has ended. */
  ofTask(sessionId: string, taskId: string): TaskSession | undefined {
    const member = [...this.#members].find(({ id }) => id === sessionId);
    const session = member?.session;
    if (member === undefined || session === undefined) return undefined;
    const finished = () => this.#endTask(member, taskId);
    return { work: session.work, task: member.tasks.get(taskId), finished };
  }

  /**
   * Ends the sessions of a modern caller that seems to have left at `since`. Those that it has used since then stay: its
   * streams may be at another node. So do those with tasks, which belong to the principal: a host that was restarted may
   * ask for their results.
   */
  left(subject: string, mark: string, since: number): void {
    for (const member of this.#members) {
      const isOwn = member.subject === subject && member.mark === mark;
      if (isOwn && isUnused(member) && member.usedAt <= since) void this.#end(member);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#members].map((member) => this.#end(member)));
  }

  async #begin(member: PooledSession, context: PlainContext, call: SessionCall): Promise<Lease> {
    member.idle?.cancel();
    member.call = call;
    member.isTask = context.task !== undefined;
    const isUsed = member.session !== undefined;
    try {
      member.session ??= await this.#open(member, context, call.signal);
    } catch (error) {
      void this.#end(member);
      throw error;
    }
    await this.#setLevel(member, member.session, context.client.logLevel);
    const { session } = member;
    return {
      session,
      isUsed,
      keepTask: (taskId, ms) => {
        call.handOver(member.tasks.keep(taskId, ms, () => this.#endTask(member, taskId)));
        return { id: member.id, watchTasks: session.watchTasks };
      },
      release: (isClean) => this.#release(member, isClean),
    };
  }

  /** Adds a session that is not open yet; undefined while there is no room for another. */
  #admit(upstream: SessionServer, key: string, context: PlainContext): PooledSession | undefined {
    const { caller } = context;
    const subject = sharerOf(context);
    const those = (is: (member: PooledSession) => boolean) => [...this.#members].filter(is);
    const isOwn = (member: PooledSession) => member.subject === subject;
    const isThere = (member: PooledSession) => member.upstream === upstream;
    const makeRoom = (hasSpace: () => boolean, among: (member: PooledSession) => boolean): boolean => {
      while (!hasSpace()) {
        const free = those((member) => among(member) && isUnused(member)).toSorted((a, b) => a.usedAt - b.usedAt);
        const unused = free.find(isOwn) ?? free[0] ?? longestHeld(those(among), subject);
        if (unused === undefined) return false;
        unused.call?.giveWay();
        void this.#end(unused);
      }
      return true;
    };
    const ownThere = () => ({ own: those((each) => isThere(each) && isOwn(each)).length, all: those(isThere).length });
    const hasRoom =
      makeRoom(() => hasShare(mostPerServer, ownThere()), isThere) &&
      makeRoom(() => those(isOwn).length < mostPerCaller, isOwn);
    if (!hasRoom) return undefined;
    const member = {
      id: randomUUID(),
      upstream,
      key,
      subject,
      mark: markOf(context),
      era: caller.era,
      session: undefined,
      call: undefined,
      isTask: false,
      isLost: false,
      usedAt: 0,
      logLevel: undefined,
      idle: undefined,
      tasks: new SessionTasks(this.#clock),
      unfollow: [],
    };
    this.#members.add(member);
    return member;
  }

  async #open(member: PooledSession, { client }: PlainContext, signal: AbortSignal): Promise<OwnSession> {
    const session = await member.upstream.openOwn({
      capabilities: relayedCapabilities(client.capabilities),
      info: client.info,
      asked: (request, cancelled) => {
        const asking = member.tasks.asking(request, member.call, member.isTask);
        if (asking) return asking.ask(request, cancelled);
        const message = 'There is no call in progress here that this request could belong to: ask during a call.';
        throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
      },
      // The user has finished the interaction for which a URL was opened, perhaps after the call. The modern era has no
      // such message.
      completed: (elicitationId) =>
        void client
          .notify?.({ method: 'notifications/elicitation/complete', params: { elicitationId } })
          .catch(() => undefined),
      lost: () => this.#left(member),
      signal,
    });
    if (client.capabilities.roots?.listChanged) {
      const tell = () => void session.work((sdk) => sdk.sendRootsListChanged()).catch(() => undefined);
      follow(member, client.onRootsChanged?.(tell));
    }
    follow(
      member,
      client.onClosed?.(() => this.#left(member)),
    );
    return session;
  }

  /** The server or the caller has left. A call in progress ends with its request. */
  #left(member: PooledSession): void {
    member.isLost = true;
    if (isFree(member)) void this.#end(member);
  }

  /** If the server refuses the level, its messages are filtered by the caller's level. */
  async #setLevel(member: PooledSession, session: OwnSession, level: LoggingLevel | undefined): Promise<void> {
    if (level === undefined || level === member.logLevel || session.capabilities.logging === undefined) return;
    member.logLevel = level;
    await session.work((sdk) => sdk.setLoggingLevel(level)).catch(() => undefined);
  }

  #endTask(member: PooledSession, id: string): void {
    member.tasks.end(id);
    if (!isUnused(member) || !this.#members.has(member)) return;
    if (member.isLost) void this.#end(member);
    else this.#keepIdle(member);
  }

  #release(member: PooledSession, isClean: boolean): void {
    member.call = undefined;
    member.usedAt = this.#clock.now();
    member.tasks.endUnknown();
    if (!isClean || member.isLost) {
      void this.#end(member);
      return;
    }
    if (isUnused(member)) this.#keepIdle(member);
    this.#wakeUp.wake();
  }

  #keepIdle(member: PooledSession): void {
    member.idle?.cancel();
    const first = [...this.#members].find((each) => each.upstream === member.upstream && each.key === member.key);
    const keptMs = first === member ? idleMs[member.era] : spareIdleMs;
    member.idle = this.#clock.after(keptMs, () => void this.#end(member));
  }

  async #end(member: PooledSession): Promise<void> {
    if (!this.#members.delete(member)) return;
    member.idle?.cancel();
    member.tasks.close();
    for (const unfollow of member.unfollow) unfollow();
    this.#wakeUp.wake();
    // The session has ended here even if the server does not confirm.
    await member.session?.close().catch(() => undefined);
  }
}

function follow(member: PooledSession, unfollow: (() => void) | undefined): void {
  if (unfollow) member.unfollow.push(unfollow);
}

function noRoom({ id }: SessionServer): LiveError {
  const message = `The server "${id}" needs a session of its own for this call, and you have your share of them (${mostPerServer} for a server, ${mostPerCaller} for a caller): wait until other calls have ended.`;
  return new LiveError('LIMIT_EXCEEDED', message);
}
