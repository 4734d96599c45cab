// Real time whose date a test can set ahead. Long timers, such as those for the expiry of a credential, run when their
// date
// has come.
import { type Clock, type Timer, systemClock } from '@tidings/live/time';

const longMs = 10 * 60_000;

export class LeapingClock implements Clock {
  #aheadMs = 0;
  readonly #long = new Map<() => void, number>();

  now(): number {
    return systemClock.now();
  }

  date(): number {
    return systemClock.date() + this.#aheadMs;
  }

  defer(task: () => void): void {
    systemClock.defer(task);
  }

  after(ms: number, task: () => void): Timer {
    if (ms < longMs) return systemClock.after(ms, task);
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
