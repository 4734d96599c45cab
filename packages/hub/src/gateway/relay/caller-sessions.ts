// Sessions with 2025-era servers that belong to one caller each, since such a session has the capabilities of one
// client. A session serves one call at a time: that is how the server's questions are known to belong to that call.
// Servers keep state in a session (a login, an open page), so a caller's first session is kept for its later calls;
// simultaneous calls get further ones for a while.
import { randomUUID } from 'node:crypto';
import { type LoggingLevel, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { type Caller, type Clock, LiveError, type Timer } from '@tidings/live';
import type { PlainContext } from '@tidings/live/internal';
import type { Upstream } from '@tidings/track';
import type { OwnSession, ServerQuestion } from '@tidings/track/internal';
import { isNode } from '../../access/node-principal.ts';
import { hasShare } from './fair-share.ts';
import type { KeepTask, OwnTask } from './own-task.ts';
import { markOf, relayedCapabilities } from './relayed-request.ts';
import { SessionTasks } from './session-tasks.ts';

/** Open sessions for each server, shared by its callers, and for each caller of all servers. */
const mostPerServer = 32;
const mostPerCaller = 16;
/** How long an unused session is kept for its caller. When a modern caller has left is not known. */
const idleMs = { legacy: 30 * 60_000, modern: 10 * 60_000 };
/** The same for further sessions, which simultaneous calls needed. */
const spareIdleMs = 30_000;
/** How long a call waits for a session where no more can be opened. */
const waitMs = 30_000;

/** A server with which sessions can be opened. */
export type SessionServer = Pick<Upstream, 'id' | 'entry' | 'openOwn' | 'asks' | 'noteAsks' | 'isReachedByNode'>;

/** What the server sends while a call is in progress. */
export interface SessionCall {
  readonly signal: AbortSignal;
  /** Since when it waits for its caller's answer, which may never come; undefined while the server works. */
  readonly heldSince: number | undefined;
  /** Ends it in favour of another call of its caller. */
  giveWay(): void;
  /** It has become a task. */
  handOver(task: OwnTask): void;
  ask(request: ServerQuestion, signal: AbortSignal): Promise<unknown>;
}

export interface Lease {
  session: OwnSession;
  /** Whether earlier calls were made in it, so that the server may have ended it meanwhile. */
  isUsed: boolean;
  /** The call has become a task, which its caller looks after for so long. */
  keepTask: KeepTask;
  /** `isClean`: the server is done with the call, so the session can serve another. */
  release(isClean: boolean): void;
}

/** The session of a task. */
export interface TaskSession extends Pick<OwnSession, 'work'> {
  /** Undefined once its caller has the result, or gave it up. */
  readonly task: OwnTask | undefined;
  /** Nothing more is asked for the task. */
  finished(): void;
}

interface Member {
  readonly id: string;
  readonly upstream: SessionServer;
  readonly key: string;
  readonly subject: string;
  readonly era: Caller['era'];
  session: OwnSession | undefined;
  call: SessionCall | undefined;
  /** Whether its caller wants a task to be made of the call. */
  isTask: boolean;
  isLost: boolean;
  /** When its last call ended. */
  usedAt: number;
  /** The log level that the server was given. */
  logLevel: LoggingLevel | undefined;
  idle: Timer | undefined;
  /** Of earlier calls. */
  readonly tasks: SessionTasks;
  /** Stop listening to the caller's client. */
  readonly unfollow: (() => void)[];
}

export class CallerSessions {
  readonly #clock: Clock;
  readonly #members = new Set<Member>();
  /** Calls that wait for a session: told whenever one is free or has ended. */
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#members.size;
  }

  /** A session in which this call is the only one. */
  async take(upstream: SessionServer, context: PlainContext, call: SessionCall): Promise<Lease> {
    const key = keyOf(context);
    const latest = this.#clock.now() + waitMs;
    for (;;) {
      const free = [...this.#members].find((each) => each.upstream === upstream && each.key === key && isFree(each));
      const member = free ?? this.#admit(upstream, key, context);
      if (member) return this.#begin(member, context, call);
      const leftMs = latest - this.#clock.now();
      if (leftMs <= 0) throw noRoom(upstream);
      await this.#change(leftMs, call.signal);
      call.signal.throwIfAborted();
    }
  }

  /** Undefined if the session has ended. */
  ofTask(sessionId: string, taskId: string): TaskSession | undefined {
    const member = [...this.#members].find(({ id }) => id === sessionId);
    const session = member?.session;
    if (member === undefined || session === undefined) return undefined;
    const finished = () => this.#endTask(member, taskId);
    return { work: session.work, task: member.tasks.get(taskId), finished };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#members].map((member) => this.#end(member)));
  }

  async #begin(member: Member, context: PlainContext, call: SessionCall): Promise<Lease> {
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

  /** Undefined while there is no room for another session. */
  #admit(upstream: SessionServer, key: string, { caller }: PlainContext): Member | undefined {
    const subject = caller.auth?.subject ?? '';
    const those = (is: (member: Member) => boolean) => [...this.#members].filter(is);
    const isOwn = (member: Member) => member.subject === subject;
    const isThere = (member: Member) => member.upstream === upstream;
    const makeRoom = (hasSpace: () => boolean, among: (member: Member) => boolean): boolean => {
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

  async #open(member: Member, { client }: PlainContext, signal: AbortSignal): Promise<OwnSession> {
    const session = await member.upstream.openOwn({
      capabilities: relayedCapabilities(client.capabilities),
      info: client.info,
      asked: (request, cancelled) => {
        const asking = member.tasks.asking(request, member.call, member.isTask);
        if (asking) return asking.ask(request, cancelled);
        const message = 'There is no call in progress here that this request could belong to: ask during a call.';
        throw new ProtocolError(ProtocolErrorCode.InvalidRequest, message);
      },
      // The user has finished what a URL was opened for, perhaps after the call. The modern era has no such message.
      completed: (elicitationId) =>
        void client
          .notify?.({ method: 'notifications/elicitation/complete', params: { elicitationId } })
          .catch(() => undefined),
      lost: () => {
        member.isLost = true;
        if (isFree(member)) void this.#end(member);
      },
      signal,
    });
    if (client.capabilities.roots?.listChanged) {
      const tell = () => void session.work((sdk) => sdk.sendRootsListChanged()).catch(() => undefined);
      follow(member, client.onRootsChanged?.(tell));
    }
    // A call that is still in progress ends with its request.
    const left = () => {
      member.isLost = true;
      if (isFree(member)) void this.#end(member);
    };
    follow(member, client.onClosed?.(left));
    return session;
  }

  /** If a server refuses the level, its messages are filtered by the caller's level. */
  async #setLevel(member: Member, session: OwnSession, level: LoggingLevel | undefined): Promise<void> {
    if (level === undefined || level === member.logLevel || session.capabilities.logging === undefined) return;
    member.logLevel = level;
    await session.work((sdk) => sdk.setLoggingLevel(level)).catch(() => undefined);
  }

  #endTask(member: Member, id: string): void {
    member.tasks.end(id);
    if (!isUnused(member) || !this.#members.has(member)) return;
    if (member.isLost) void this.#end(member);
    else this.#keepIdle(member);
  }

  #release(member: Member, isClean: boolean): void {
    member.call = undefined;
    member.usedAt = this.#clock.now();
    member.tasks.endUnknown();
    if (!isClean || member.isLost) {
      void this.#end(member);
      return;
    }
    if (isUnused(member)) this.#keepIdle(member);
    this.#changed();
  }

  #keepIdle(member: Member): void {
    member.idle?.cancel();
    const first = [...this.#members].find((each) => each.upstream === member.upstream && each.key === member.key);
    const keptMs = first === member ? idleMs[member.era] : spareIdleMs;
    member.idle = this.#clock.after(keptMs, () => void this.#end(member));
  }

  async #end(member: Member): Promise<void> {
    if (!this.#members.delete(member)) return;
    member.idle?.cancel();
    member.tasks.close();
    for (const unfollow of member.unfollow) unfollow();
    this.#changed();
    // Ended here even if the server did not confirm.
    await member.session?.close().catch(() => undefined);
  }

  #changed(): void {
    for (const look of this.#waiting) look();
  }

  /** Until a session is free or has ended, at most so long. */
  #change(withinMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        timer.cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.#clock.after(withinMs, done);
      this.#waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }
}

function follow(member: Member, unfollow: (() => void) | undefined): void {
  if (unfollow) member.unfollow.push(unfollow);
}

function noRoom({ id }: SessionServer): LiveError {
  const message = `The server "${id}" needs a session of its own for this call, and you have your share of them (${mostPerServer} for a server, ${mostPerCaller} for a caller): wait until other calls have ended.`;
  return new LiveError('LIMIT_EXCEEDED', message);
}

function isFree({ call, session }: Member): boolean {
  return call === undefined && session !== undefined;
}

/** Whether no task needs it either. */
function isUnused(member: Member): boolean {
  return isFree(member) && member.tasks.size === 0;
}

/** Many clients leave without an answer: their calls are the first to go, for a new one of the same caller. */
function longestHeld(members: readonly Member[], subject: string): Member | undefined {
  const since = ({ call }: Member) => call?.heldSince ?? Number.POSITIVE_INFINITY;
  const held = members.filter((member) => member.subject === subject && member.call?.heldSince !== undefined);
  return held.toSorted((a, b) => since(a) - since(b))[0];
}

/**
 * Calls with the same key follow each other on one session. A modern client is known by its principal, name and version,
 * and by a mark of its own if it has one; one that reaches another node, by what that node says of it.
 */
function keyOf(context: PlainContext): string {
  const { caller, client, sessionId } = context;
  const who = caller.era === 'legacy' ? sessionId : [client.info?.name, client.info?.version];
  const behind = markOf(context) ?? (isNode(caller) ? randomUUID() : undefined);
  return JSON.stringify([caller.era, caller.auth?.subject, who, behind, relayedCapabilities(client.capabilities)]);
}
