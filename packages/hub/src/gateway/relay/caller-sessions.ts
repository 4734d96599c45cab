// Sessions with 2025-era servers that belong to one caller each, since such a session has the capabilities of one
// client. A session serves one call at a time: that is how the server's questions are known to belong to that call.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import { type Clock, LiveError, type Timer } from '@tidings/live';
import type { PlainContext } from '@tidings/live/internal';
import type { Upstream } from '@tidings/track';
import type { OwnSession, ServerQuestion } from '@tidings/track/internal';
import { hasShare } from './fair-share.ts';
import { relayedCapabilities } from './relayed-request.ts';

/** Open sessions for each server, shared by its callers, and for each caller of all servers. */
const mostPerServer = 32;
const mostPerCaller = 16;
/** How long an unused session is kept: opening one may start a process. */
const idleMs = 30_000;

/** A server with which sessions can be opened. */
export type SessionServer = Pick<Upstream, 'id' | 'entry' | 'openOwn' | 'asks' | 'noteAsks'>;

/** What the server sends while a call is in progress. */
export interface SessionCall {
  readonly signal: AbortSignal;
  /** Since when it waits for its caller's answer, which may never come; undefined while the server works. */
  readonly heldSince: number | undefined;
  /** Ends it in favour of another call of its caller. */
  giveWay(): void;
  ask(request: ServerQuestion, signal: AbortSignal): Promise<unknown>;
}

export interface Lease {
  session: OwnSession;
  /** `isClean`: the server is done with the call, so the session can serve another. */
  release(isClean: boolean): void;
}

interface Member {
  readonly upstream: SessionServer;
  readonly key: string;
  readonly subject: string;
  session: OwnSession | undefined;
  call: SessionCall | undefined;
  isLost: boolean;
  idle: Timer | undefined;
  /** Stops passing on that the caller's roots have changed. */
  unfollow: (() => void) | undefined;
}

export class CallerSessions {
  readonly #clock: Clock;
  readonly #members = new Set<Member>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#members.size;
  }

  /** A session in which this call is the only one. */
  async take(upstream: SessionServer, context: PlainContext, call: SessionCall): Promise<Lease> {
    const key = keyOf(context);
    const idle = [...this.#members].find((each) => each.upstream === upstream && each.key === key && isFree(each));
    if (idle?.session) {
      idle.idle?.cancel();
      idle.call = call;
      return this.#lease(idle, idle.session, context);
    }
    const member = this.#admit(upstream, key, context.caller.auth?.subject ?? '');
    member.call = call;
    try {
      member.session = await this.#open(member, context, call.signal);
    } catch (error) {
      this.#members.delete(member);
      throw error;
    }
    return this.#lease(member, member.session, context);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#members].map((member) => this.#end(member)));
  }

  #admit(upstream: SessionServer, key: string, subject: string): Member {
    const those = (is: (member: Member) => boolean) => [...this.#members].filter(is);
    const isOwn = (member: Member) => member.subject === subject;
    const isThere = (member: Member) => member.upstream === upstream;
    const makeRoom = (hasSpace: () => boolean, among: (member: Member) => boolean): boolean => {
      while (!hasSpace()) {
        const free = those((member) => among(member) && isFree(member));
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
    if (!hasRoom) {
      const message = `The server "${upstream.id}" needs a session of its own for this call, and you have your share of them (${mostPerServer} for a server, ${mostPerCaller} for a caller): wait until other calls have ended.`;
      throw new LiveError('LIMIT_EXCEEDED', message);
    }
    const member = {
      upstream,
      key,
      subject,
      session: undefined,
      call: undefined,
      isLost: false,
      idle: undefined,
      unfollow: undefined,
    };
    this.#members.add(member);
    return member;
  }

  async #open(member: Member, { client }: PlainContext, signal: AbortSignal): Promise<OwnSession> {
    const session = await member.upstream.openOwn({
      capabilities: relayedCapabilities(client.capabilities),
      info: client.info,
      asked: (request, cancelled) => {
        if (member.call) return member.call.ask(request, cancelled);
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
      member.unfollow = client.onRootsChanged?.(tell);
    }
    if (client.logLevel !== undefined && session.capabilities.logging) {
      const level = client.logLevel;
      // If a server refuses the level, its messages are filtered by the caller's level.
      await session.work((sdk) => sdk.setLoggingLevel(level)).catch(() => undefined);
    }
    return session;
  }

  #lease(member: Member, session: OwnSession, { caller, client }: PlainContext): Lease {
    return {
      session,
      release: (isClean) => {
        member.call = undefined;
        // A server may remember the roots of a session, and two modern clients cannot be told apart.
        const isShareable = caller.era === 'legacy' || client.capabilities.roots === undefined;
        if (!isClean || !isShareable || member.isLost) void this.#end(member);
        else member.idle = this.#clock.after(idleMs, () => void this.#end(member));
      },
    };
  }

  async #end(member: Member): Promise<void> {
    if (!this.#members.delete(member)) return;
    member.idle?.cancel();
    member.unfollow?.();
    // Ended here even if the server did not confirm.
    await member.session?.close().catch(() => undefined);
  }
}

function isFree({ call, session }: Member): boolean {
  return call === undefined && session !== undefined;
}

/** Many clients leave without an answer: their calls are the first to go, for a new one of the same caller. */
function longestHeld(members: readonly Member[], subject: string): Member | undefined {
  const since = ({ call }: Member) => call?.heldSince ?? Number.POSITIVE_INFINITY;
  const held = members.filter((member) => member.subject === subject && member.call?.heldSince !== undefined);
  return held.toSorted((a, b) => since(a) - since(b))[0];
}

/** Calls with the same key may follow each other on one session. */
function keyOf({ caller, client, sessionId }: PlainContext): string {
  const who = caller.era === 'legacy' ? sessionId : client.info;
  return JSON.stringify([
    caller.era,
    caller.auth?.subject,
    who,
    relayedCapabilities(client.capabilities),
    client.logLevel,
  ]);
}
