// Limits the rate of unsolicited messages of a server: notifications, requests, and answers to no open request. Above
// the limit, reading pauses, so that the pipe or socket slows the server down. Nothing is dropped.
import type { Clock } from '@tidings/live';
import { TokenBucket } from '@tidings/live/time';

const limits = { burst: 10_000, perSecond: 2000 };
/** A large message takes longer to handle: this many bytes count as one message. */
const bytesPerMessage = 4096;

/** How many messages these bytes count as. */
export function messagesIn(bytes: number): number {
  return Math.ceil(bytes / bytesPerMessage);
}

export class MessageRateLimit {
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#bucket = new TokenBucket(clock, limits);
  }

  /** Counts messages; returns for how many milliseconds to stop reading. */
  count(messages: number): number {
    return this.#bucket.spend(messages);
  }

  /** Counts messages; resolves when reading may continue. Always yields to other work once. */
  rest(messages: number): Promise<void> {
    const ms = this.count(messages);
    return new Promise((resolve) => {
      if (ms > 0) this.#clock.after(ms, resolve);
      else this.#clock.defer(resolve);
    });
  }
}
