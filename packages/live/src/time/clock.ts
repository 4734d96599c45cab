// Time as a dependency. Real time and timers are used in this file only (`npm run check` searches all packages), so
// that tests can use a clock of their own. Works in Node and in browsers.

/** What `Clock.after` returns. */
export interface Timer {
  cancel(): void;
}

/** The source of time. Default everywhere: `systemClock`; tests use a `FakeClock`. */
export interface Clock {
  /** Milliseconds from an arbitrary start; it never goes back. For durations. */
  now(): number;
  /** Milliseconds since the epoch, for comparing with dates that come from outside. */
  date(): number;
  /** Runs `task` once, after everything that is already queued in this turn of the event loop. */
  defer(task: () => void): void;
  /** Runs `task` once after `ms`. A pending timer does not keep the process alive. */
  after(ms: number, task: () => void): Timer;
}

/** The longest delay a timer can hold; with a longer one it would overflow and fire at once. */
export const longestDelayMs = 2 ** 31 - 1;

const hasImmediates = typeof setImmediate === 'function';

/** Real time, with timers that do not keep the process alive. The default. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  defer: (task) => {
    if (hasImmediates) setImmediate(task);
    else setTimeout(task, 0);
  },
  after: (ms, task) => {
    const timer = startTimer(ms, task);
    // In browsers a timer is a number.
    if (typeof timer === 'object') timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** The system clock with timers that keep the process alive: for commands with nothing else under way. */
export const foregroundClock: Clock = {
  ...systemClock,
  after: (ms, task) => {
    const timer = startTimer(ms, task);
    return { cancel: () => clearTimeout(timer) };
  },
};

/**
 * Keeps the process alive until it is cancelled, for work without timers or sockets that do so. Node would otherwise
 * end the process in the middle of an `await`, with exit code 13 and no message.
 *
 * @example
 * const alive = keepProcessAlive();
 * await work();
 * alive.cancel();
 */
export function keepProcessAlive(): Timer {
  const timer = setInterval(() => undefined, longestDelayMs);
  return { cancel: () => clearInterval(timer) };
}

/**
 * Resolves when pending I/O and timers have been handled. A long synchronous loop awaits this now and then. Not a
 * method of the clock, because a fake clock must not stop it.
 *
 * @example
 * for (const row of rows) {
 *   convert(row);
 *   await eventLoopTurn();
 * }
 */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => systemClock.defer(resolve));
}

function startTimer(ms: number, task: () => void) {
  return setTimeout(task, Math.min(ms, longestDelayMs));
}
