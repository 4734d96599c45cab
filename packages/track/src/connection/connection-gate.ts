// Where requests wait for a server that is being connected to.
import type { Clock } from '@tidings/live';

export class ConnectionGate {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something has changed: whoever waits looks again. */
  open(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves with the first value `look` gives, or with nothing after `ms`. What it throws ends the waiting. */
  async wait<T>(look: () => T | undefined, ms: number): Promise<T | undefined> {
    const deadline = this.#clock.now() + ms;
    for (;;) {
      const found = look();
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
