// A task that many events of one tick ask for, and that runs once after them.
import type { Clock } from './clock.ts';

/**
 * Returns a function that asks for a run of `task`. It runs once at the end of the tick, however often that is called.
 *
 * @example
 * const announceSoon = oncePerTick(systemClock, () => announce(model.differences()));
 * model.onChange(announceSoon);
 */
export function oncePerTick(clock: Pick<Clock, 'defer'>, task: () => void): () => void {
  let isDue = false;
  const run = () => {
    // Before the task, so that it can ask for another run.
    isDue = false;
    task();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    clock.defer(run);
  };
}
