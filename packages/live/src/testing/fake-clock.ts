// A clock that a test moves.
import type { Clock, Timer } from '../time/clock.ts';

interface PendingTimer {
  at: number;
  task: () => void;
}

/**
 * Time that moves by `tick` and `advance` only.
 *
 * @example
 * const clock = new FakeClock();
 * const server = liveServer({ name: 'notes', version: '1.0.0', clock });
 * await clock.advance(50);
 */
export class FakeClock implements Clock {
  #start: number;
  #now = 0;
  #deferred: (() => void)[] = [];
  #pending: PendingTimer[] = [];

  /** `start` is the date at the beginning, in milliseconds since the epoch. */
  constructor(start = 0) {
    this.#start = start;
  }

  now(): number {
    return this.#now;
  }

  date(): number {
    return this.#start + this.#now;
  }

  defer(task: () => void): void {
    this.#deferred.push(task);
  }

  after(ms: number, task: () => void): Timer {
    const pending = { at: this.#now + ms, task };
    this.#pending.push(pending);
    return {
      cancel: () => {
        this.#pending = this.#pending.filter((each) => each !== pending);
      },
    };
  }

  /** Ends the current tick: runs deferred tasks, and the tasks that those defer. */
  tick(): void {
    while (this.#deferred.length > 0) {
      const tasks = this.#deferred;
      this.#deferred = [];
      for (const task of tasks) task();
    }
  }

  /** Lets time pass; timers on the way run at their own moments, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    this.tick();
    for (;;) {
      const next = this.#pending.reduce<PendingTimer | undefined>(
        (a, b) => (a === undefined || b.at < a.at ? b : a),
        undefined,
      );
      if (next === undefined || next.at > end) break;
      this.#pending = this.#pending.filter((each) => each !== next);
      this.#now = Math.max(this.#now, next.at);
      next.task();
      this.tick();
    }
    this.#now = end;
  }

  /** Sets the date forward or back, without any time passing. */
  jump(ms: number): void {
    this.#start += ms;
  }

  /** The number of pending timers. */
  get waiting(): number {
    return this.#pending.length;
  }
}
