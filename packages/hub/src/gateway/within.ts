// Waits for something, but not for ever.
import type { Clock } from '@tidings/live';

/** Resolves when `work` has ended, or after this time. */
export async function within(ms: number, work: Promise<unknown>, clock: Clock): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = clock.after(ms, resolve);
    work
      .finally(() => timer.cancel())
      .then(() => resolve())
      .catch(reject);
  });
}
