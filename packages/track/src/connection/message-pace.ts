// How many messages a server may send of its own accord: notifications, requests to us, and what is no answer
// to anything. Over the bound it is not read from for a while, so that the pipe or socket slows the server down.
// Nothing is dropped.
import type { Clock } from '@tidings/live';

const perSecond = 2000;
const burst = 10_000;

export class MessagePace {
  readonly #clock: Clock;
  #tokens = burst;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.now();
  }

  /** Counts messages, and says for how many milliseconds to stop reading. */
  count(messages: number): number {
    const now = this.#clock.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#countedAt) * perSecond) / 1000) - messages;
    this.#countedAt = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * 1000) / perSecond;
  }

  /** Counts messages, and resolves when more may be read. Others get a turn in any case. */
  rest(messages: number): Promise<void> {
    const ms = this.count(messages);
    return new Promise((resolve) => {
      if (ms > 0) this.#clock.after(ms, resolve);
      else this.#clock.defer(resolve);
    });
  }
}
