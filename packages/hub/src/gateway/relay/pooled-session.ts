// One session in the pool of `CallerSessions`: its caller, the call and tasks that use it, and which calls may share it.
import { randomUUID } from 'node:crypto';
import type { LoggingLevel } from '@modelcontextprotocol/client';
import type { Caller, Timer } from '@tidings/live';
import type { PlainContext } from '@tidings/live/internal';
import type { Upstream } from '@tidings/track';
import type { OwnSession, ServerQuestion } from '@tidings/track/internal';
import { isNode } from '../../access/node-principal.ts';
import type { OwnTask } from './own-task.ts';
import { markOf, relayedCapabilities } from './relayed-request.ts';
import type { SessionTasks } from './session-tasks.ts';

/** A server with which sessions can be opened. */
export type SessionServer = Pick<
  Upstream,
  'id' | 'entry' | 'openOwn' | 'sendsRequests' | 'noteClientRequest' | 'isReachedByNode'
>;

/** A call that uses a session. */
export interface SessionCall {
  readonly signal: AbortSignal;
  /** Since when the call waits for its caller's answer, which may never come; undefined while the server works. */
  readonly heldSince: number | undefined;
  /** Ends the call in favour of another call of its caller. */
  giveWay(): void;
  /** The call has become a task, which takes its questions from now on. */
  handOver(task: OwnTask): void;
  ask(request: ServerQuestion, signal: AbortSignal): Promise<unknown>;
}

export interface PooledSession {
  readonly id: string;
  readonly upstream: SessionServer;
  readonly key: string;
  /** The principal in whose share of the sessions it counts. */
  readonly subject: string;
  /** The mark of its caller, if it has one. */
  readonly mark: string | undefined;
  readonly era: Caller['era'];
  session: OwnSession | undefined;
  call: SessionCall | undefined;
  /** Whether the caller asked for a task. */
  isTask: boolean;
  isLost: boolean;
  /** When the last call ended. */
  usedAt: number;
  /** The log level that was set at the server. */
  logLevel: LoggingLevel | undefined;
  idle: Timer | undefined;
  /** Tasks of earlier calls. */
  readonly tasks: SessionTasks;
  /** Functions that stop listening to the caller's client. */
  readonly unfollow: (() => void)[];
}

/** Whether the session is open and no call uses it. */
export function isFree({ call, session }: PooledSession): boolean {
  return call === undefined && session !== undefined;
}

/** Whether neither a call nor a task uses the session. */
export function isUnused(member: PooledSession): boolean {
  return isFree(member) && member.tasks.size === 0;
}

/**
 * The caller's session whose call has waited for an answer the longest. Many clients leave without answering, so these
 * calls are ended first, for a new call of the same caller.
 */
export function longestHeld(members: readonly PooledSession[], subject: string): PooledSession | undefined {
  const since = ({ call }: PooledSession) => call?.heldSince ?? Number.POSITIVE_INFINITY;
  const held = members.filter((member) => member.subject === subject && member.call?.heldSince !== undefined);
  return held.toSorted((a, b) => since(a) - since(b))[0];
}

/** The principal in whose share of the sessions a call counts. The mark of another node begins with its caller's. */
export function sharerOf(context: PlainContext): string {
  const { caller } = context;
  const subject = caller.auth?.subject ?? '';
  if (!isNode(caller)) return subject;
  const [principal = ''] = (markOf(context) ?? '').split(' ');
  return `${subject} ${principal}`;
}

/**
 * Calls with the same key share sessions. A modern client is identified by its principal, name and version, and by its
 * own mark if it has one; a client of another node by the mark that the node adds.
 */
export function poolKey(context: PlainContext): string {
  const { caller, client, sessionId } = context;
  const who = caller.era === 'legacy' ? sessionId : [client.info?.name, client.info?.version];
  const behind = markOf(context) ?? (isNode(caller) ? randomUUID() : undefined);
  return JSON.stringify([caller.era, caller.auth?.subject, who, behind, relayedCapabilities(client.capabilities)]);
}
