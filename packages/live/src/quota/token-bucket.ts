// Limits requests per second: a bucket that fills at a steady rate and from which each request takes one.
import type { Clock } from '../time/clock.ts';

/** The size of the bucket, in seconds at the full rate: a client may begin with a burst of this size. */
const burstSeconds = 5;

export class TokenBucket {
  readonly #clock: Clock;
  #level: number;
  #filledAt: number;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#level = perSecond * burstSeconds;
    this.#filledAt = clock.now();
  }

  /**
   * Takes `count` and returns 0, or takes nothing and returns the seconds to wait. The rate may change between calls.
   */
  take(count: number, perSecond: number): number {
    if (perSecond === Number.POSITIVE_INFINITY) return 0;
    const now = this.#clock.now();
    const filled = ((now - this.#filledAt) / 1000) * perSecond;
    this.#filledAt = now;
    this.#level = Math.min(perSecond * burstSeconds, this.#level + filled);
    // A batch that is larger than the bucket needs a full one.
    const taken = Math.min(count, perSecond * burstSeconds);
    if (this.#level < taken) return (taken - this.#level) / perSecond;
    this.#level -= taken;
    return 0;
  }
}
