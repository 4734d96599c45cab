// How long to wait before the next attempt: twice as long each time, from half a second to half a
// minute, and never in step with others.

const firstMs = 500;
const usualLongestMs = 30_000;

export class Backoff {
  readonly #random: () => number;
  readonly #longestMs: number;
  #failures = 0;

  /** `random` yields numbers from 0 to 1. */
  constructor(random: () => number, longestMs = usualLongestMs) {
    this.#random = random;
    this.#longestMs = longestMs;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Counts one more failure and says how long to wait. */
  next(): number {
    const full = Math.min(this.#longestMs, firstMs * 2 ** Math.min(this.#failures, 16));
    this.#failures += 1;
    return Math.max(firstMs, full * (0.5 + this.#random() / 2));
  }

  reset(): void {
    this.#failures = 0;
  }
}
