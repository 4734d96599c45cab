// Limits a rate: a bucket that fills at a steady rate up to its size, and from which each use takes. A full bucket
// allows a burst of its size.
import type { Clock } from './clock.ts';

/** The size of a bucket, and how fast it fills. */
export interface BucketLimits {
  burst: number;
  perSecond: number;
}

/**
 * A limit on the rate of something, with bursts.
 *
 * @example
 * const bucket = new TokenBucket(systemClock, { burst: 10, perSecond: 2 });
 * const waitMs = bucket.take(1);
 * if (waitMs > 0) throw new Error(`Try again in ${waitMs} ms.`);
 */
export class TokenBucket {
  readonly #clock: Pick<Clock, 'now'>;
  #limits: BucketLimits;
  #level: number;
  #filledAt: number;

  constructor(clock: Pick<Clock, 'now'>, limits: BucketLimits) {
    this.#clock = clock;
    this.#limits = limits;
    this.#level = limits.burst;
    this.#filledAt = clock.now();
  }

  /** Other limits from now on. They apply to the time since the last use, too. */
  limit(limits: BucketLimits): void {
    this.#limits = limits;
  }

  /** Takes `count` and returns 0, or takes nothing and returns in how many milliseconds the bucket has that many. */
  take(count: number): number {
    if (this.#limits.perSecond === Number.POSITIVE_INFINITY) return 0;
    this.#fill();
    if (this.#level < count) return this.#msUntil(count);
    this.#level -= count;
    return 0;
  }

  /** Takes `count` even from an empty bucket. Returns in how many milliseconds the debt is paid; 0 if there is none. */
  spend(count: number): number {
    this.#fill();
    this.#level -= count;
    return this.#level >= 0 ? 0 : this.#msUntil(0);
  }

  #fill(): void {
    const { burst, perSecond } = this.#limits;
    const now = this.#clock.now();
    this.#level = Math.min(burst, this.#level + ((now - this.#filledAt) * perSecond) / 1000);
    this.#filledAt = now;
  }

  #msUntil(level: number): number {
    return ((level - this.#level) * 1000) / this.#limits.perSecond;
  }
}
