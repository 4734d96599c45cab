// When an agent is told. It holds what is pending, never a queue: one entry for each resource, with the
// latest time. A session that takes nothing, or a model that is answering, lets entries merge; it drops none.
import type { Clock, Timer } from '@tidings/live';
import { type News, keyOf } from './news.ts';

export interface PacingOptions {
  /** `between-turns`: while the model answers, updates wait. Default: `now`. */
  when?: 'now' | 'between-turns' | undefined;
  /** How many messages a minute; what is beyond comes as one summary at the end of it. */
  perMinute?: number | undefined;
}

export interface Batch {
  news: readonly News[];
  /** They are to be told in one message. */
  isSummary: boolean;
}

/** Nobody waits longer for a model to finish. */
const longestWaitMs = 3000;
const minuteMs = 60_000;

export class Pacing {
  readonly #options: PacingOptions;
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #wake: () => void;
  readonly #pending = new Map<string, News>();
  #isAnswering = false;
  #waitingSince: number | undefined;
  #timer: Timer | undefined;
  #minuteBegan = Number.NEGATIVE_INFINITY;
  #told = 0;

  /** `wake` is called when there may be something to take that could not be taken before. */
  constructor(options: PacingOptions, clock: Pick<Clock, 'now' | 'after'>, wake: () => void) {
    this.#options = options;
    this.#clock = clock;
    this.#wake = wake;
  }

  get size(): number {
    return this.#pending.size;
  }

  offer(news: News): void {
    const key = keyOf(news);
    // A later one takes the place of an earlier, at the end.
    this.#pending.delete(key);
    this.#pending.set(key, news);
    this.#waitingSince ??= this.#clock.now();
  }

  answering(isAnswering: boolean): void {
    this.#isAnswering = isAnswering;
    if (!isAnswering) this.#wake();
  }

  /** What is to be told now; nothing while it has to wait. */
  take(): Batch | undefined {
    if (this.#pending.size === 0) return undefined;
    const now = this.#clock.now();
    const waitMs = Math.max(this.#turnWait(now), this.#budgetWait(now));
    if (waitMs > 0) {
      this.#wakeAfter(waitMs);
      return undefined;
    }
    const room = this.#roomFor(now);
    const isSummary = this.#pending.size > room;
    const news = [...this.#pending.values()];
    this.#pending.clear();
    this.#waitingSince = undefined;
    this.#told += isSummary ? 1 : news.length;
    return { news, isSummary };
  }

  /** What could not be told after all waits again, unless something later has come, and is not counted. */
  giveBack(untold: readonly News[]): void {
    this.#told = Math.max(0, this.#told - untold.length);
    const later = [...this.#pending.values()];
    this.#pending.clear();
    for (const news of [...untold, ...later]) this.offer(news);
  }

  close(): void {
    this.#timer?.cancel();
    this.#pending.clear();
  }

  #turnWait(now: number): number {
    if (this.#options.when !== 'between-turns' || !this.#isAnswering) return 0;
    return (this.#waitingSince ?? now) + longestWaitMs - now;
  }

  /** Once the minute's messages are used up, the next one is a summary at its end. */
  #budgetWait(now: number): number {
    const { perMinute } = this.#options;
    if (perMinute === undefined || now - this.#minuteBegan >= minuteMs || this.#told < perMinute) return 0;
    return this.#minuteBegan + minuteMs - now;
  }

  #roomFor(now: number): number {
    const { perMinute } = this.#options;
    if (perMinute === undefined) return Number.POSITIVE_INFINITY;
    const wasUsedUp = this.#told >= perMinute;
    if (now - this.#minuteBegan >= minuteMs) {
      this.#minuteBegan = now;
      this.#told = 0;
      // What gathered while nothing could be told is told in one.
      if (wasUsedUp && this.#pending.size > 1) return 0;
    }
    return perMinute - this.#told;
  }

  #wakeAfter(ms: number): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(ms, this.#wake);
  }
}
