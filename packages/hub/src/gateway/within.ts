// Waits for something, but not for ever.
import type { Clock } from '@tidings/live';

/** Resolves when `work` has ended, or after this time; says whether it has. */
export async function within(ms: number, work: Promise<unknown>, clock: Clock): Promise<boolean> {
  return new Promise<boolean>((resolve, reject) => {
    const timer = clock.after(ms, () => resolve(false));
    work
      .finally(() => timer.cancel())
      .then(() => resolve(true))
      .catch(reject);
  });
}
