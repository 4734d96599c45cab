// Lets callers wait until something may have changed, each with its own time limit. A caller that is woken looks again,
// and waits again if it has to.
import type { TimerSource } from './timeout.ts';

/** How long to wait. */
export interface WaitBounds {
  /** Default: without a limit. */
  ms?: number;
  /** Ends the wait. */
  signal?: AbortSignal;
}

/**
 * Lets callers wait for the next call of `wake`.
 *
 * @example
 * const wakeUp = new WakeUp(systemClock);
 * while (queue.length === 0) await wakeUp.wait({ signal });
 */
export class WakeUp {
  readonly #clock: TimerSource;
  readonly #waiting = new Set<() => void>();

  constructor(clock: TimerSource) {
    this.#clock = clock;
  }

  /** Ends all present waits. */
  wake(): void {
    for (const end of this.#waiting) end();
  }

  /** Resolves at the next `wake`, after `ms`, or when `signal` is aborted. Never rejects. */
  wait({ ms, signal }: WaitBounds = {}): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        this.#waiting.delete(end);
        timer?.cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = ms === undefined ? undefined : this.#clock.after(ms, end);
      this.#waiting.add(end);
      signal?.addEventListener('abort', end);
    });
  }
}
