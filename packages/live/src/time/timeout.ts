// Bounds on waiting. Each function cancels its timer as soon as the work is over.
import type { Clock } from './clock.ts';

/** All that a timeout needs of a clock. */
export type TimerSource = Pick<Clock, 'after'>;

/**
 * Settles as `work` does; rejects with `error()` if that takes longer than `ms`.
 *
 * @example
 * await withTimeout(systemClock, 1000, load(), () => new Error('It took too long.'));
 */
export function withTimeout<T>(clock: TimerSource, ms: number, work: Promise<T>, error: () => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => reject(error()));
    work.then(
      (value) => {
        timer.cancel();
        resolve(value);
      },
      (reason: unknown) => {
        timer.cancel();
        reject(reason);
      },
    );
  });
}

/**
 * Whether `work` resolves within `ms`. Rejects if `work` rejects within that time.
 *
 * @example
 * if (!(await endsWithin(systemClock, 1000, closing))) socket.destroy();
 */
export function endsWithin(clock: TimerSource, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => resolve(false));
    work.then(
      () => {
        timer.cancel();
        resolve(true);
      },
      (reason: unknown) => {
        timer.cancel();
        reject(reason);
      },
    );
  });
}

/** A signal for requests that may take a limited time. */
export interface TimeLimit {
  /** Aborted when the time is over, or when the signal that was passed in is. */
  readonly signal: AbortSignal;
  /** Whether the time was over before `clear`. */
  readonly isExceeded: boolean;
  /** The work is over: stops the timer, and lets go of the signal that was passed in. */
  clear(): void;
}

/**
 * A signal that is aborted after `ms`, or when the other one is.
 *
 * @example
 * const limit = timeLimit(systemClock, 1000);
 * const response = await fetch(url, { signal: limit.signal }).finally(() => limit.clear());
 */
export function timeLimit(clock: TimerSource, ms: number, signal?: AbortSignal | null): TimeLimit {
  const own = new AbortController();
  let isExceeded = false;
  const timer = clock.after(ms, () => {
    isExceeded = true;
    own.abort();
  });
  // Not AbortSignal.any: a signal that outlives many requests would remember them all.
  const abort = () => own.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: own.signal,
    get isExceeded() {
      return isExceeded;
    },
    clear: () => {
      timer.cancel();
      signal?.removeEventListener('abort', abort);
    },
  };
}
