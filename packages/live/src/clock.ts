// Time as the kit sees it. Real time is read here and nowhere else, so tests can bring their own.

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds; only differences mean anything. */
  now(): number;
  /** Milliseconds since the epoch, for comparing with dates that come from outside. */
  date(): number;
  /** Runs `task` once, when everything that is already under way in this tick has finished. */
  defer(task: () => void): void;
  /** Runs `task` once after `ms`. A pending timer does not keep the process alive. */
  after(ms: number, task: () => void): Timer;
}

const maxDelayMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  defer: (task) => {
    setImmediate(task);
  },
  after: (ms, task) => {
    // A longer delay would overflow and come at once.
    const timer = setTimeout(task, Math.min(ms, maxDelayMs));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
