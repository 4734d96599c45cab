// The positions up to which each session of a host was told, in memory: two per session, however much changes. Sessions
// seldom report their end, so the least recently used ones are removed.
import type { Clock } from '@tidings/live';
import { Turns } from '@tidings/live/time';
import { SubjectMap } from '../base/subject-map.ts';
import type { HookHost } from './hook-host.ts';

/** Limits per token and in total. */
const limits = { ofSubject: 200, together: 2000 };
const keptMs = 24 * 60 * 60_000;

/** A session of a host, or an agent with a context of its own in it. */
export interface HostSessionId {
  readonly subject: string;
  readonly host: HookHost;
  readonly session: string;
  readonly agent: string | undefined;
  /** The filter of the hook's address. Hooks of one session with different filters have separate positions. */
  readonly choice: string;
}

export interface HookPosition {
  /** Hooks of one session may run at the same time, and are answered one after the other. */
  readonly turns: Turns;
  /** The number of the last change of a resource that was read. */
  lastChange: number;
  /** The position after the last event of the journal. */
  position: number;
  /** When something was last said; undefined before that. */
  saidAt: number | undefined;
  /** Whether another session of the host, with the same credential, was active since this one was told. */
  isShared: boolean;
  /** Whether another agent of the session was active since then. */
  hasOtherAgents: boolean;
}

interface HostSession extends HookPosition {
  readonly id: HostSessionId;
  usedAt: number;
}

export class HostSessions {
  readonly #clock: Clock;
  /** The most recently used is the last. */
  readonly #sessions = new SubjectMap<HostSession>(limits, ({ id }) => id.subject);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Undefined if the session is not stored, or was removed. */
  find(id: HostSessionId): HookPosition | undefined {
    this.#forgetUnused();
    const key = keyOf(id);
    const session = this.#sessions.get(key);
    if (session === undefined) return undefined;
    this.#noteOthers(key, session);
    session.usedAt = this.#clock.now();
    this.#sessions.set(key, session);
    return session;
  }

  begin(id: HostSessionId, { lastChange, position }: Pick<HookPosition, 'lastChange' | 'position'>): HookPosition {
    const key = keyOf(id);
    const session: HostSession = {
      id,
      turns: new Turns(),
      lastChange,
      position,
      saidAt: undefined,
      isShared: false,
      hasOtherAgents: false,
      usedAt: this.#clock.now(),
    };
    this.#sessions.set(key, session);
    return session;
  }

  /** Forgets the session, whatever its hooks choose; without an agent, also its agents. */
  end({ subject, host, session, agent }: HostSessionId): void {
    const usedBefore: HostSession[] = [];
    for (const [key, each] of this.#sessions) {
      const { id } = each;
      const isMeant = id.subject === subject && id.host === host && id.session === session;
      if (isMeant && (agent === undefined || id.agent === agent)) {
        for (const other of usedBefore.splice(0)) noteActive(other, id);
        this.#sessions.delete(key);
      } else {
        usedBefore.push(each);
      }
    }
  }

  /** Sessions that come after this one were used later. */
  #noteOthers(key: string, session: HostSession): void {
    let isLater = false;
    for (const [each, { id }] of this.#sessions) {
      if (isLater) noteActive(session, id);
      isLater ||= each === key;
    }
  }

  #forgetUnused(): void {
    const oldest = this.#clock.now() - keptMs;
    for (const [key, { usedAt }] of this.#sessions) {
      if (usedAt > oldest) return;
      this.#sessions.delete(key);
    }
  }
}

/** Notes that another session, or another agent of the session, was active after this one. */
function noteActive(session: HostSession, other: HostSessionId): void {
  const { id } = session;
  if (other.subject !== id.subject || other.host !== id.host) return;
  session.isShared ||= other.session !== id.session;
  session.hasOtherAgents ||= other.session === id.session && other.agent !== id.agent;
}

function keyOf({ subject, host, session, agent, choice }: HostSessionId): string {
  return JSON.stringify([subject, host, session, agent, choice]);
}
