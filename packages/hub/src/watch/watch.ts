// Watches resources until told to stop, over as many connections as it takes.
import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { Failure } from '../cli/failure.ts';
import { connect } from '../peer/connect.ts';
import { messageOf } from '../peer/connection-failure.ts';
import { listenerOn } from '../peer/listener.ts';
import { reasonOf } from '../peer/request-failure.ts';
import { type Target, nameOf } from '../peer/target.ts';
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

    try {
      let uris = await scene.lookAtList(client, isReturn);
      tell({ type: isReturn ? 'back' : 'watching', source, uris: await listen(uris) });
      const wasAway = isReturn;
      isReturn = true;
      lastReason = undefined;
      if (wasAway) await scene.lookAtAll(client);
      await scene.lookAtNew(client, uris);
      while (attention.reasonLost === undefined) {
        const { updated, listChanged } = await attention.next();
        if (listChanged && attention.reasonLost === undefined) {
          const wanted = await scene.lookAtList(client, false);
          if (wanted.length !== uris.length || wanted.some((uri, index) => uri !== uris[index])) await listen(wanted);
          uris = wanted;
          await scene.lookAtNew(client, uris);
        }
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
