// How often a server's list is read. A server that keeps sending `list_changed`, or whose list takes long to
// read, must not keep the tracker busy.
import type { Clock } from '@tidings/live';
import { TokenBucket } from '@tidings/live/time';

const shortestMs = 100;
/** This many readings may follow each other quickly; after that, one a second. */
const readings = { burst: 20, perSecond: 1 };
const pauseMs = 1000 / readings.perSecond;
/** A reading that took 1 s is followed by a pause of 4 s. */
const restFactor = 4;
const longestMs = 60_000;

export class ListRateLimit {
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  #earliest = Number.NEGATIVE_INFINITY;
  #failure: { error: unknown } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#bucket = new TokenBucket(clock, readings);
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
      const isTooFast = this.#bucket.spend(1) > 0;
      const rest = Math.max(shortestMs, restFactor * (now - started), isTooFast ? pauseMs : 0);
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
