// Something of somebody else's, which may never end.
import type { Clock } from '@tidings/live';

/** What `work` comes to; rejects when that takes longer. */
export function inTime<T>(ms: number, work: Promise<T>, clock: Pick<Clock, 'after'>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => reject(new Error(`It did not answer within ${Math.round(ms / 1000)} s.`)));
    work.finally(() => timer.cancel()).then(resolve, reject);
  });
}
