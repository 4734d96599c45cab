// Time limits. Each function cancels its timer as soon as the work has ended.
import type { Clock, Timer } from './clock.ts';
import { onAbort } from './on-abort.ts';

/** The part of a clock that a timeout needs. */
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

/**
 * Whether `work` resolves before the time is over. `leftMs` says how long to wait; when that has passed it is asked again,
 * until it says 0 or less. Rejects if `work` rejects within that time.
 *
 * @example
 * await endsWhile(systemClock, () => steppedAt + 1000 - systemClock.now(), work);
 */
export function endsWhile(clock: TimerSource, leftMs: () => number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let timer: Timer | undefined;
    const look = () => {
      const ms = leftMs();
      if (ms > 0) timer = clock.after(ms, look);
      else resolve(false);
    };
    look();
    work.then(
      () => {
        timer?.cancel();
        resolve(true);
      },
      (reason: unknown) => {
        timer?.cancel();
        reject(reason);
      },
    );
  });
}

/** A signal with a time limit. */
export interface TimeLimit {
  /** Aborted when the time is over, or when the given signal is aborted. */
  readonly signal: AbortSignal;
  /** Whether the time was over before `clear`. */
  readonly isExceeded: boolean;
  /** Call it when the work has ended: stops the timer and stops listening to the given signal. */
  clear(): void;
}

/**
 * A signal that is aborted after `ms`, with the reason `late()` if that is given, or when the other one is.
 *
 * @example
 * const limit = timeLimit(systemClock, 1000);
 * const response = await fetch(url, { signal: limit.signal }).finally(() => limit.clear());
 */
export function timeLimit(
  clock: TimerSource,
  ms: number,
  signal?: AbortSignal | null,
  late?: () => unknown,
): TimeLimit {
  const own = new AbortController();
  let isExceeded = false;
  const timer = clock.after(ms, () => {
    isExceeded = true;
    own.abort(late?.());
  });
  const unlink = onAbort(signal, (reason) => own.abort(reason));
  return {
    signal: own.signal,
    get isExceeded() {
      return isExceeded;
    },
    clear: () => {
      timer.cancel();
      unlink();
    },
  };
}
