// How often a server's list is read. A server that keeps sending `list_changed`, or whose list takes long to
// read, must not keep the tracker busy.
import type { Clock } from '@tidings/live';

const shortestMs = 100;
/** This many readings may follow each other quickly; after that, one per `refillMs`. */
const burst = 20;
const refillMs = 1000;
/** A reading that took 1 s is followed by a pause of 4 s. */
const restFactor = 4;
const longestMs = 60_000;

export class ListRateLimit {
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

  /** Runs one reading and decides how long to pause after it. */
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

  /** Throws the failure of the last reading again, while the list may not be read. */
  throwFailure(): void {
    if (this.#failure !== undefined && this.waitMs > 0) throw this.#failure.error;
  }

  /** There is a new session: the next reading does not wait. */
  reset(): void {
    this.#earliest = Number.NEGATIVE_INFINITY;
    this.#failure = undefined;
  }
}
