// Lets requests wait while their server is being connected to.
import type { Clock } from '@tidings/live';

export class ConnectionGate {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Wakes all waiting requests, which call `find` again. */
  open(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves with the first value that `find` returns, or with undefined after `ms`. Rejects if `find` throws. */
  async wait<T>(find: () => T | undefined, ms: number): Promise<T | undefined> {
    const deadline = this.#clock.now() + ms;
    for (;;) {
      const found = find();
      const left = deadline - this.#clock.now();
      if (found !== undefined || left <= 0) return found;
      await this.#wakeWithin(left);
    }
  }

  #wakeWithin(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        timer.cancel();
        resolve();
      };
      const timer = this.#clock.after(ms, wake);
      this.#waiting.add(wake);
    });
  }
}
