// Knows the truth and looks at what every subscriber believes.
import { eventually } from '@tidings/live/testing';
import type { Subscriber } from './subscriber.ts';
import type { ChaosUpstream } from './upstream.ts';

export interface Wrong {
  subscriber: string;
  uri: string;
  holds: string | undefined;
  truth: string;
}

/** What had to be told and what was, in one round. */
export interface Tally {
  due: number;
  twice: number;
}

export class Oracle {
  readonly #subscribers: readonly Subscriber[];

  constructor(subscribers: readonly Subscriber[]) {
    this.#subscribers = subscribers;
  }

  wrong({ resources }: ChaosUpstream): Wrong[] {
    return this.#subscribers.flatMap((subscriber) =>
      Object.entries(resources)
        .filter(([uri, text]) => subscriber.held.get(uri) !== text)
        .map(([uri, truth]) => ({ subscriber: subscriber.kind, uri, holds: subscriber.held.get(uri), truth })),
    );
  }

  /** Milliseconds until every subscriber holds the truth; nothing if that is not so within `patienceMs`. */
  async timeToTruth(upstream: ChaosUpstream, patienceMs: number): Promise<number | undefined> {
    const began = performance.now();
    try {
      await eventually('the truth', () => this.wrong(upstream).length === 0, patienceMs);
      return performance.now() - began;
    } catch {
      return undefined;
    }
  }

  /** Counts what is told from now on, against `changes` by URI. */
  count(): (changes: ReadonlyMap<string, number>) => Tally {
    const before = this.#subscribers.map(({ told }) => new Map(told));
    return (changes) => {
      const tally: Tally = { due: 0, twice: 0 };
      for (const [index, { told }] of this.#subscribers.entries()) {
        for (const [uri, count] of changes) {
          const times = (told.get(uri) ?? 0) - (before[index]?.get(uri) ?? 0);
          tally.due += count;
          tally.twice += Math.max(0, times - count);
        }
      }
      return tally;
    };
  }
}
