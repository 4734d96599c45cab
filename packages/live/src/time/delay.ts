// A pause in an async function.
import type { TimerSource } from './timeout.ts';

/**
 * Resolves after `ms`, or as soon as `signal` is aborted. Never rejects.
 *
 * @example
 * await delay(systemClock, 1000);
 */
export function delay(clock: TimerSource, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      timer.cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(ms, end);
    signal?.addEventListener('abort', end);
  });
}
