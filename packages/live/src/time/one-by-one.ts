// Spreads tasks evenly over a time, instead of running all at once.
import { delay } from './delay.ts';
import type { TimerSource } from './timeout.ts';

/** If there are many tasks, several begin after each pause. */
const shortestPauseMs = 20;

/**
 * The first task begins after a pause, the last at the end of the time. Resolves when all have ended; then rejects if
 * one of them failed, which does not stop the others.
 *
 * @example
 * await oneByOne(systemClock, 5000, connections.map((each) => () => each.close()));
 */
export async function oneByOne(clock: TimerSource, ms: number, tasks: readonly (() => unknown)[]): Promise<void> {
  const pauses = Math.max(1, Math.min(tasks.length, Math.floor(ms / shortestPauseMs)));
  const running: Promise<unknown>[] = [];
  for (let n = 1; n <= pauses && tasks.length > 0; n += 1) {
    await delay(clock, ms / pauses);
    const due = tasks.slice(running.length, Math.ceil((tasks.length * n) / pauses));
    for (const task of due) running.push(begin(task));
  }
  await Promise.allSettled(running);
  await Promise.all(running);
}

/** A failure is reported at the end: until then it must not count as unhandled. */
function begin(task: () => unknown): Promise<unknown> {
  const running = (async () => task())();
  running.catch(() => undefined);
  return running;
}
