// Knows the truth and looks at what every subscriber believes.
import type { Timekeeper } from './runnable-clock.ts';
import type { ChaosSubscriber } from './subscriber.ts';
import type { ChaosUpstream } from './upstream.ts';

export interface Wrong {
  subscriber: string;
  uri: string;
  holds: string | undefined;
  truth: string | undefined;
  told: number;
  /** Why it could not read it, if so. */
  failure: string | undefined;
}

/** What had to be told and what was told more often than that, in one round. */
export interface Tally {
  due: number;
  twice: number;
}

/** Every look goes through all subscribers, so there is some time between two of them. */
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
        for (const { kind, held, told, failures } of this.#byUri.get(uri) ?? []) {
          if (held.has(uri) && held.get(uri) === truth) continue;
          const more = { told: told.get(uri) ?? 0, failure: failures.get(uri) };
          wrong.push({ subscriber: kind, uri, holds: held.get(uri), truth, ...more });
        }
      }
    }
    return wrong;
  }

  /** Milliseconds of the clock from `since` until every subscriber holds the truth; nothing if it takes longer than patience. */
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

  /** Counts what is told from now on about these servers, against `changes` by URI. */
  count(upstreams: readonly ChaosUpstream[]): (changes: ReadonlyMap<string, number>) => Tally {
    const rows = upstreams.flatMap(({ uris }) =>
      uris.flatMap((uri) =>
        (this.#byUri.get(uri) ?? []).map(({ told }) => ({ uri, told, before: told.get(uri) ?? 0 })),
      ),
    );
    return (changes) => {
      const tally: Tally = { due: 0, twice: 0 };
      for (const { uri, told, before } of rows) {
        const due = changes.get(uri) ?? 0;
        tally.due += due;
        tally.twice += Math.max(0, (told.get(uri) ?? 0) - before - due);
      }
      return tally;
    };
  }

  /** Subscribers to these servers read again, so that one fault is not counted in the rounds that follow. */
  correct(upstreams: readonly ChaosUpstream[]): void {
    for (const uri of upstreams.flatMap(({ uris }) => uris)) {
      for (const subscriber of this.#byUri.get(uri) ?? []) subscriber.correct(uri);
    }
  }
}
