// Waits for work that goes on step by step, until it is done or no step was made for a while.
import type { Clock, Timer } from '@tidings/live';

export interface Progress {
  clock: Clock;
  patienceMs: number;
  /** When the last step was made. */
  steppedAt(this: void): number;
}

/** Whether it is done. Rejects with it; what it does later is no concern of the caller. */
export function settledWithin(work: Promise<unknown>, { clock, patienceMs, steppedAt }: Progress): Promise<boolean> {
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
        (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
      )
      .finally(() => timer?.cancel());
  });
}
