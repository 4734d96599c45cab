// Compares each subscriber's state with the servers' state.
import type { Timekeeper } from './runnable-clock.ts';
import type { ChaosSubscriber } from './subscriber.ts';
import type { ChaosUpstream } from './upstream.ts';

export interface Wrong {
  subscriber: string;
  uri: string;
  holds: string | undefined;
  truth: string | undefined;
  notified: number;
  /** Why its last read failed, if it did. */
  failure: string | undefined;
}

/** The notifications that were due in one round, and the number of surplus ones. */
export interface Tally {
  due: number;
  twice: number;
}

/** A comparison goes through all subscribers, so there is a pause between two. */
const lookMs = 50;

export class Oracle {
  readonly clock: Timekeeper;
  readonly #byUri = new Map<string, ChaosSubscriber[]>();

  constructor(subscribers: readonly ChaosSubscriber[], clock: Timekeeper) {
    this.clock = clock;
    for (const subscriber of subscribers) {
      for (const uri of subscriber.uris) this.#byUri.set(uri, [...(this.#byUri.get(uri) ?? []), subscriber]);
    }
  }

  wrong(upstreams: readonly ChaosUpstream[]): Wrong[] {
    const wrong: Wrong[] = [];
    for (const { uris, resources } of upstreams) {
      for (const uri of uris) {
        const truth = resources[uri];
        for (const { kind, held, notified, failures } of this.#byUri.get(uri) ?? []) {
          if (held.has(uri) && held.get(uri) === truth) continue;
          const more = { notified: notified.get(uri) ?? 0, failure: failures.get(uri) };
          wrong.push({ subscriber: kind, uri, holds: held.get(uri), truth, ...more });
        }
      }
    }
    return wrong;
  }

  /** Milliseconds from `since` until every subscriber is up to date; nothing if that takes longer than `patienceMs`. */
  async timeToTruth(
    upstreams: readonly ChaosUpstream[],
    { since, patienceMs }: { since: number; patienceMs: number },
  ): Promise<number | undefined> {
    for (;;) {
      const ms = this.clock.now() - since;
      if (this.wrong(upstreams).length === 0) return ms;
      if (ms > patienceMs) return undefined;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }

  /**
   * Counts notifications about these servers from now on; the returned function compares them with `changes` by URI.
   */
  count(upstreams: readonly ChaosUpstream[]): (changes: ReadonlyMap<string, number>) => Tally {
    const rows = upstreams.flatMap(({ uris }) =>
      uris.flatMap((uri) =>
        (this.#byUri.get(uri) ?? []).map(({ notified }) => ({ uri, notified, before: notified.get(uri) ?? 0 })),
      ),
    );
    return (changes) => {
      const tally: Tally = { due: 0, twice: 0 };
      for (const { uri, notified, before } of rows) {
        const due = changes.get(uri) ?? 0;
        tally.due += due;
        tally.twice += Math.max(0, (notified.get(uri) ?? 0) - before - due);
      }
      return tally;
    };
  }

  /** Subscribers of these servers read again, so that one fault is not counted again in the next rounds. */
  correct(upstreams: readonly ChaosUpstream[]): void {
    for (const uri of upstreams.flatMap(({ uris }) => uris)) {
      for (const subscriber of this.#byUri.get(uri) ?? []) subscriber.correct(uri);
    }
  }
}
