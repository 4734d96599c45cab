// Decides when an agent is notified. Holds pending news, not a queue: one entry per resource, with the latest time.
// While the session is not ready or the model is answering, entries merge; none is dropped.
import type { Clock, Timer } from '@tidings/live/time';
import { type News, newsKey } from './news.ts';

export interface PacingOptions {
  /** `between-turns`: while the model answers, updates wait. Default: `now`. */
  when?: 'now' | 'between-turns' | undefined;
  /** Messages per minute; the rest is one summary at the end of the minute. */
  perMinute?: number | undefined;
}

export interface Batch<N extends News = News> {
  news: readonly N[];
  /** Whether they are sent in one message. */
  isSummary: boolean;
}

/** The longest time that news wait for a model to finish. */
const longestWaitMs = 3000;
const minuteMs = 60_000;

export class Pacing<N extends News = News> {
  readonly #options: PacingOptions;
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #wake: () => void;
  readonly #pending = new Map<string, N>();
  #isAnswering = false;
  #waitingSince: number | undefined;
  #timer: Timer | undefined;
  #minuteBegan = Number.NEGATIVE_INFINITY;
  #sentThisMinute = 0;

  /** `wake` is called when news may have become due. */
  constructor(options: PacingOptions, clock: Pick<Clock, 'now' | 'after'>, wake: () => void) {
    this.#options = options;
    this.#clock = clock;
    this.#wake = wake;
  }

  get size(): number {
    return this.#pending.size;
  }

  offer(news: N): void {
    const key = newsKey(news);
    // A later entry replaces an earlier one, at the end.
    this.#pending.delete(key);
    this.#pending.set(key, news);
    this.#waitingSince ??= this.#clock.now();
  }

  answering(isAnswering: boolean): void {
    this.#isAnswering = isAnswering;
    if (!isAnswering) this.#wake();
  }

  /** How long a message that waits since `since` must still wait for the model to finish. */
  turnWaitMs(since: number): number {
    if (this.#options.when !== 'between-turns' || !this.#isAnswering) return 0;
    return Math.max(0, since + longestWaitMs - this.#clock.now());
  }

  /** The news to send now; undefined while they must wait. */
  take(): Batch<N> | undefined {
    if (this.#pending.size === 0) return undefined;
    const now = this.#clock.now();
    const waitMs = Math.max(this.turnWaitMs(this.#waitingSince ?? now), this.#budgetWait(now));
    if (waitMs > 0) {
      this.#wakeAfter(waitMs);
      return undefined;
    }
    this.#timer?.cancel();
    const room = this.#roomFor(now);
    const isSummary = this.#pending.size > room;
    const news = [...this.#pending.values()];
    this.#pending.clear();
    this.#waitingSince = undefined;
    this.#sentThisMinute += isSummary ? 1 : news.length;
    return { news, isSummary };
  }

  /**
   * Returns news that could not be delivered: they are pending again, unless there is a later entry. The messages that
   * they would have been, one for each by default, do not count against the limit.
   */
  requeue(undelivered: readonly N[], messages = undelivered.length): void {
    this.#sentThisMinute = Math.max(0, this.#sentThisMinute - messages);
    const later = [...this.#pending.values()];
    this.#pending.clear();
    for (const news of [...undelivered, ...later]) this.offer(news);
  }

  close(): void {
    this.#timer?.cancel();
    this.#pending.clear();
  }

  /** After the minute's messages are used up, the next is a summary at its end. */
  #budgetWait(now: number): number {
    const { perMinute } = this.#options;
    if (perMinute === undefined || now - this.#minuteBegan >= minuteMs || this.#sentThisMinute < perMinute) return 0;
    return this.#minuteBegan + minuteMs - now;
  }

  #roomFor(now: number): number {
    const { perMinute } = this.#options;
    if (perMinute === undefined) return Number.POSITIVE_INFINITY;
    const wasUsedUp = this.#sentThisMinute >= perMinute;
    if (now - this.#minuteBegan >= minuteMs) {
      this.#minuteBegan = now;
      this.#sentThisMinute = 0;
      // News collected while nothing could be sent go into one message.
      if (wasUsedUp && this.#pending.size > 1) return 0;
    }
    return perMinute - this.#sentThisMinute;
  }

  #wakeAfter(ms: number): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(ms, this.#wake);
  }
}
