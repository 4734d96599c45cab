// Limits of real time for tests of real processes. A limit that is met with ease on an idle machine is missed on one
// that runs more programs than it has cores, so it grows with the load.
import { availableParallelism, loadavg } from 'node:os';

/** `ms` on an idle machine, more on a busy one. */
export function timeLimit(ms: number): number {
  const [lastMinute = 0] = loadavg();
  return ms * Math.max(2, (3 * lastMinute) / availableParallelism());
}
