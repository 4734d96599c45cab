// Real time that a test can set ahead. Long timers, such as those for the end of a credential, run when their time has
// come.
import { type Clock, type Timer, systemClock } from '@tidings/live/time';

export class LeapingClock implements Clock {
  readonly #longMs: number;
  #aheadMs = 0;
  readonly #long = new Map<() => void, number>();

  /** Timers of at least `longMs` run only in a leap. */
  constructor(longMs = 10 * 60_000) {
    this.#longMs = longMs;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  date(): number {
    return systemClock.date() + this.#aheadMs;
  }

  defer(task: () => void): void {
    systemClock.defer(task);
  }

  after(ms: number, task: () => void): Timer {
    if (ms < this.#longMs) return systemClock.after(ms, task);
    const run = () => task();
    this.#long.set(run, this.date() + ms);
    return { cancel: () => void this.#long.delete(run) };
  }

  leap(ms: number): void {
    this.#aheadMs += ms;
    for (const [run, at] of this.#long) {
      if (at > this.date()) continue;
      this.#long.delete(run);
      run();
    }
  }
}
