// Work for many items, a few at a time.
import type { Clock } from './clock.ts';
import { TimeSlice } from './time-slice.ts';

/**
 * Runs `work` for each item, at most `limit` at a time. Yields to other work regularly: if none of the items waits for a
 * socket or a timer, thousands of them would otherwise block the event loop.
 *
 * @example
 * await forEachLimited(uris, 4, systemClock, (uri) => read(uri));
 */
export async function forEachLimited<T>(
  items: Iterable<T>,
  limit: number,
  clock: Clock,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const slice = new TimeSlice(clock);
  const worker = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      const pause = slice.pause();
      if (pause) await pause;
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
