// How often a list of a server is read. A server may say at any moment that its list changed; one that
// says so all the time, or whose list takes long to read, must not keep the tracker busy with it.
import type { Clock } from '@tidings/live';

const shortestMs = 100;
/** So many readings may follow each other quickly; after that, one per `refillMs`. */
const burst = 20;
const refillMs = 1000;
/** A reading that took 1 s is followed by 4 s without one. */
const restFactor = 4;
const longestMs = 60_000;

export class ListPace {
  readonly #clock: Clock;
  #tokens = burst;
  #countedAt: number;
  #earliest = Number.NEGATIVE_INFINITY;
  #failure: { error: unknown } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.now();
  }

  /** Milliseconds until the list may be read again; 0 if now. */
  get waitMs(): number {
    return Math.max(0, this.#earliest - this.#clock.now());
  }

  /** Runs one reading, and decides how long to wait after it. */
  async measure<T>(read: () => Promise<T>): Promise<T> {
    const started = this.#clock.now();
    this.#failure = undefined;
    try {
      return await read();
    } catch (error) {
      this.#failure = { error };
      throw error;
    } finally {
      const now = this.#clock.now();
      this.#tokens = Math.min(burst, this.#tokens + (now - this.#countedAt) / refillMs) - 1;
      this.#countedAt = now;
      const rest = Math.max(shortestMs, restFactor * (now - started), this.#tokens < 0 ? refillMs : 0);
      this.#earliest = now + Math.min(longestMs, rest);
    }
  }

  /** Throws again what the last reading failed with, while the list may not be read again. */
  throwFailure(): void {
    if (this.#failure !== undefined && this.waitMs > 0) throw this.#failure.error;
  }

  /** The next reading is not held back: it is of another session. */
  reset(): void {
    this.#earliest = Number.NEGATIVE_INFINITY;
    this.#failure = undefined;
  }
}
