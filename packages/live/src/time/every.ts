// A task at regular intervals.
import type { Timer } from './clock.ts';
import type { TimerSource } from './timeout.ts';

/**
 * Runs `task` every `ms` until the returned timer is cancelled, which the task itself may do; the first time after `ms`.
 * If the task returns a promise, the next interval begins when that has settled. `ms` may be a function, called for each
 * interval. `task` handles its own failures: like those of any timer, they would end the process.
 *
 * @example
 * const timer = every(systemClock, 60_000, () => poll());
 * timer.cancel();
 */
export function every(clock: TimerSource, ms: number | (() => number), task: () => unknown): Timer {
  let isCancelled = false;
  const run = () => {
    const ended = task();
    if (ended instanceof Promise) void ended.finally(next);
    else next();
  };
  const next = () => {
    if (!isCancelled) timer = start();
  };
  const start = () => clock.after(typeof ms === 'number' ? ms : ms(), run);
  let timer = start();
  return {
    cancel: () => {
      isCancelled = true;
      timer.cancel();
    },
  };
}
