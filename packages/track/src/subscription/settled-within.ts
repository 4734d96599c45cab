// Waits for work that proceeds step by step, until it is done or has made no step for a while.
import type { Clock, Timer } from '@tidings/live';
import { asError } from '@tidings/live/portable';

interface StepwiseProgress {
  clock: Clock;
  patienceMs: number;
  /** When the last step was made. */
  steppedAt(this: void): number;
}

/** Resolves with whether `work` is done; rejects if `work` rejects. Later outcomes are ignored. */
export function settledWithin(
  work: Promise<unknown>,
  { clock, patienceMs, steppedAt }: StepwiseProgress,
): Promise<boolean> {
  const began = clock.now();
  return new Promise((resolve, reject) => {
    let timer: Timer | undefined;
    const look = () => {
      const leftMs = Math.max(began, steppedAt()) + patienceMs - clock.now();
      if (leftMs > 0) timer = clock.after(leftMs, look);
      else resolve(false);
    };
    look();
    void work
      .then(
        () => resolve(true),
        (error: unknown) => reject(asError(error)),
      )
      .finally(() => timer?.cancel());
  });
}
