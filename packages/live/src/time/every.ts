// A task at regular intervals.
import type { Timer } from './clock.ts';
import type { TimerSource } from './timeout.ts';

/**
 * Runs `task` every `ms` until the returned timer is cancelled; the first time after `ms`.
 *
 * @example
 * const timer = every(systemClock, 60_000, () => poll());
 * timer.cancel();
 */
export function every(clock: TimerSource, ms: number, task: () => void): Timer {
  let isCancelled = false;
  const start = (): Timer =>
    clock.after(ms, () => {
      task();
      if (!isCancelled) timer = start();
    });
  let timer = start();
  return {
    cancel: () => {
      isCancelled = true;
      timer.cancel();
    },
  };
}
