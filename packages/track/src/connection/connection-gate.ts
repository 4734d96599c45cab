// Lets requests wait while their server is being connected to.
import type { Clock } from '@tidings/live';
import { WakeUp } from '@tidings/live/time';

export class ConnectionGate {
  readonly #clock: Clock;
  readonly #wakeUp: WakeUp;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wakeUp = new WakeUp(clock);
  }

  /** Wakes all waiting requests, which call `find` again. */
  open(): void {
    this.#wakeUp.wake();
  }

  /** Resolves with the first value that `find` returns, or with undefined after `ms`. Rejects if `find` throws. */
  async wait<T>(find: () => T | undefined, ms: number): Promise<T | undefined> {
    const deadline = this.#clock.now() + ms;
    for (;;) {
      const found = find();
      const left = deadline - this.#clock.now();
      if (found !== undefined || left <= 0) return found;
      await this.#wakeUp.wait({ ms: left });
    }
  }
}
