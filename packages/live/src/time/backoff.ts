// Pauses between attempts: they grow up to a limit and have a random part, so that clients that lost the same server do
// not all return at once.

/** The first and the longest pause, and how they grow. */
export interface BackoffOptions {
  /** The pause after the first failure. */
  firstMs: number;
  /** Default: without a limit. */
  longestMs?: number;
  /** The factor between one pause and the next. Default: 2. */
  growth?: number;
}

/**
 * The longest pause after this many failures in a row (1 or more), without the random part.
 *
 * @example
 * backoffMs(3, { firstMs: 100, longestMs: 5000 }); // 400
 */
export function backoffMs(failures: number, { firstMs, longestMs = Infinity, growth = 2 }: BackoffOptions): number {
  return Math.min(longestMs, firstMs * growth ** (failures - 1));
}

/**
 * Pauses between attempts that grow with each failure, with a random part.
 *
 * @example
 * const backoff = new Backoff({ firstMs: 100, longestMs: 5000 });
 * await delay(systemClock, backoff.next());
 */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #random: () => number;
  #failures = 0;

  /** `random` yields numbers from 0 to 1. */
  constructor(options: BackoffOptions, random: () => number = Math.random) {
    this.#options = options;
    this.#random = random;
  }

  /** Failures since the last `reset`. */
  get failures(): number {
    return this.#failures;
  }

  /** Counts one more failure. Returns how long to wait: half to all of the pause, at least the first one. */
  next(): number {
    this.#failures += 1;
    const full = backoffMs(this.#failures, this.#options);
    return Math.max(this.#options.firstMs, full * (0.5 + this.#random() / 2));
  }

  /** An attempt succeeded: the next pause is the first one again. */
  reset(): void {
    this.#failures = 0;
  }
}
