// Runs the reconciliation whenever something may have changed. Level, not edge: a request during a run makes one
// more run, so that none is lost and none queue up. Requests made together share a run.
import type { Clock, Timer } from '@tidings/live';
import { Backoff } from '@tidings/live/time';
import { retryPauses } from '../base/retry-pauses.ts';

/** The pause between two runs, for a server that keeps sending `list_changed`. */
const pauseMs = 100;

interface SyncLoopOptions {
  run(this: void): Promise<void>;
  /** `failures` in a row. */
  failed(this: void, error: unknown, failures: number): void;
  clock: Clock;
  random: () => number;
}

export class SyncLoop {
  readonly #options: SyncLoopOptions;
  readonly #backoff: Backoff;
  readonly #waiters: (() => void)[] = [];
  /** A run is in progress, or about to begin. */
  #isRunning = false;
  #isRequested = false;
  #isStopped = false;
  #timer: Timer | undefined;

  constructor(options: SyncLoopOptions) {
    this.#options = options;
    this.#backoff = new Backoff(retryPauses, options.random);
  }

  request(): void {
    this.#isRequested = true;
    if (this.#isRunning || this.#isStopped) return;
    this.#timer?.cancel();
    this.#isRunning = true;
    void this.#run();
  }

  /** Requests a run; resolves when a run that began after this call has ended, successful or not. */
  requested(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isStopped) return resolve();
      this.#waiters.push(resolve);
      this.request();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  async #run(): Promise<void> {
    await Promise.resolve();
    this.#isRequested = false;
    const waiters = this.#waiters.splice(0);
    const began = this.#options.clock.now();
    let waitMs = 0;
    try {
      await this.#options.run();
      this.#backoff.reset();
    } catch (error) {
      waitMs = this.#backoff.next();
      if (!this.#isStopped) this.#options.failed(error, this.#backoff.failures);
    }
    this.#isRunning = false;
    for (const resolve of waiters) resolve();
    if (this.#isStopped) return;
    // Callers that wait are not delayed for longer than a run takes; more of them gather meanwhile.
    const pause = this.#waiters.length > 0 ? Math.min(pauseMs, this.#options.clock.now() - began) : pauseMs;
    if (this.#isRequested) this.#again(Math.max(pause, waitMs));
    else if (waitMs > 0) this.#again(waitMs);
  }

  #again(ms: number): void {
    this.#timer = this.#options.clock.after(ms, () => this.request());
  }
}
