// Limits the rate of unsolicited messages of a server: notifications, requests, and answers to no open request. Above
// the limit, reading pauses, so that the pipe or socket slows the server down. Nothing is dropped.
import type { Clock } from '@tidings/live';

const perSecond = 2000;
const burst = 10_000;
/** A large message takes longer to handle: this many bytes count as one message. */
const bytesPerMessage = 4096;

/** How many messages these bytes count as. */
export function messagesIn(bytes: number): number {
  return Math.ceil(bytes / bytesPerMessage);
}

export class MessageRateLimit {
  readonly #clock: Clock;
  #tokens = burst;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.now();
  }

  /** Counts messages; returns for how many milliseconds to stop reading. */
  count(messages: number): number {
    const now = this.#clock.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#countedAt) * perSecond) / 1000) - messages;
    this.#countedAt = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1000) / perSecond;
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
