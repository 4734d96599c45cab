// Watches resources until told to stop, over as many connections as it takes.
import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { Failure } from '../terminal/failure.ts';
import { connect } from '../look/connect.ts';
import { messageOf } from '../look/connection-failure.ts';
import { listenerOn } from '../look/listener.ts';
import { reasonOf } from '../look/request-failure.ts';
import { type Target, nameOf } from '../look/target.ts';
import { Attention } from './attention.ts';
import type { Untimed, WatchEvent } from './event.ts';
import type { Patterns } from './pattern.ts';
import { Scene } from './scene.ts';

export interface WatchOptions {
  target: Target;
  patterns: Patterns;
  report(this: void, event: WatchEvent): void;
  signal: AbortSignal;
  clock: Clock;
  /** Resolves after a time, or as soon as the signal is given. */
  pause(this: void, ms: number, signal: AbortSignal): Promise<void>;
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;
/** A connection that held this long was a good one: the next pause is short again. */
const steadyMs = 10_000;

export async function watch({ target, patterns, report, signal, clock, pause }: WatchOptions): Promise<void> {
  const mentioned = new Set<string>();
  const tell = (event: Untimed, at: number = clock.date()) => {
    // A connection that comes and goes need not repeat what was wrong already.
    const complaint = event.type === 'problem' ? `${event.problem} ${event.uri}` : undefined;
    if (complaint !== undefined && mentioned.has(complaint)) return;
    if (complaint !== undefined) mentioned.add(complaint);
    report({ time: new Date(at).toISOString(), ...event });
  };
  const scene = new Scene(patterns, tell, () => clock.date());
  const source = nameOf(target);
  let isReturn = false;
  let pauseMs = firstPauseMs;
  let lastReason: string | undefined;
  while (!signal.aborted) {
    const start = clock.now();
    try {
      const client = await connect(target, signal);
      try {
        await attend(client);
      } finally {
        client.onclose = () => undefined;
        client.onerror = () => undefined;
        await client.close();
      }
    } catch (error) {
      if (signal.aborted) return;
      // What never worked needs the user, what did work needs patience.
      if (!isReturn || error instanceof Deaf) throw error;
      if (clock.now() - start > steadyMs) pauseMs = firstPauseMs;
      const reason = messageOf(error);
      if (reason !== lastReason) tell({ type: 'lost', reason, retryInMs: pauseMs });
      lastReason = reason;
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  /** One connection: ends with an error when it is lost, or when the user has seen enough. */
  async function attend(client: Client): Promise<void> {
    const attention = new Attention();
    const lost = (reason: string) => {
      attention.lost(reason);
      // What is still being asked for will not be answered.
      void client.close();
    };
    const listener = listenerOn(
      client,
      {
        updated: (uri) => attention.updated(uri, clock.date()),
        listChanged: () => attention.listChanged(),
        lost,
      },
      clock,
    );
    const stop = () => lost('interrupted');
    signal.addEventListener('abort', stop, { once: true });

    /** Returns what will be heard of. */
    async function listen(uris: string[]): Promise<string[]> {
      const refusals = await listener.listenTo(uris);
      if (uris.length === refusals.size && !listener.hearsList) throw new Deaf(source, [...refusals.values()][0]);
      for (const [uri, reason] of refusals) tell({ type: 'problem', uri, problem: 'not_announced', reason });
      return uris.filter((uri) => !refusals.has(uri));
    }

    /** Once it is said that something is watched, every change of it will be told: what is there is read before. */
    async function begin(): Promise<void> {
      const { wanted } = await scene.lookAtList(client);
      const uris = await listen(wanted);
      await scene.lookAtNew(client, wanted);
      tell({ type: 'watching', source, uris });
    }

    async function comeBack(): Promise<void> {
      const { wanted, added, removed } = await scene.lookAtList(client);
      tell({ type: 'back', source, uris: await listen(wanted) });
      if (added.length + removed.length > 0) tell({ type: 'list_changed', added, removed, whileAway: true });
      await scene.lookAtAll(client);
      await scene.lookAtNew(client, wanted);
    }

    async function followList(): Promise<void> {
      const { wanted, added, removed } = await scene.lookAtList(client);
      // The list may have changed in what is not watched, or in no more than its descriptions.
      if (added.length + removed.length === 0) return;
      await listen(wanted);
      await scene.lookAtNew(client, wanted);
      tell({ type: 'list_changed', added, removed });
    }

    try {
      if (isReturn) await comeBack();
      else await begin();
      isReturn = true;
      lastReason = undefined;
      while (attention.reasonLost === undefined) {
        const { updated, listChanged } = await attention.next();
        if (attention.reasonLost !== undefined) break;
        if (listChanged) await followList();
        await scene.lookAtUpdated(client, updated);
      }
      throw new Error(attention.reasonLost);
    } catch (error) {
      throw error instanceof Deaf ? error : new Failure(attention.reasonLost ?? reasonOf(error));
    } finally {
      signal.removeEventListener('abort', stop);
      listener.close();
    }
  }
}

/** A server that will never tell anything: trying again would not change that. */
class Deaf extends Failure {
  constructor(source: string, reason = 'it offers no subscriptions') {
    super(
      `${source} announces no changes (${reason}), so there is nothing to watch. "tidings read" shows what is there.`,
    );
  }
}
