// How many unsolicited messages a server may send: notifications, requests, and answers to nothing. Above that
// it is not read from for a while, so that the pipe or socket slows it down. Nothing is dropped.
import type { Clock } from '@tidings/live';

const perSecond = 2000;
const burst = 10_000;
/** A large message takes longer: this many bytes count as one. */
const bytesPerMessage = 4096;

/** As how many messages so many bytes count. */
export function messagesIn(bytes: number): number {
  return Math.ceil(bytes / bytesPerMessage);
}

export class MessagePace {
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

  /** Counts messages; resolves when reading may go on. Yields to other work in any case. */
  rest(messages: number): Promise<void> {
    const ms = this.count(messages);
    return new Promise((resolve) => {
      if (ms > 0) this.#clock.after(ms, resolve);
      else this.#clock.defer(resolve);
    });
  }
}
