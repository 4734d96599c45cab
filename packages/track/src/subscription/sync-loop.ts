// Brings about what is wanted, again whenever that may have changed. Level, not edge: a request that
// comes while a run is under way makes another one, so none is lost and none queue up. Requests that are made
// together share a run.
import type { Clock, Timer } from '@tidings/live';
import { Backoff } from '@tidings/live/time';
import { retryPauses } from '../base/retry-pauses.ts';

/** A server that keeps saying that its list changed is asked this often. */
const pauseMs = 100;

export interface SyncLoopOptions {
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
  /** A run is under way, or about to begin. */
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

  /** Requests a run and resolves when one that began after this has ended, however it went. */
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
    // Callers that wait for it are not kept longer than a run takes; more of them gather meanwhile.
    const pause = this.#waiters.length > 0 ? Math.min(pauseMs, this.#options.clock.now() - began) : pauseMs;
    if (this.#isRequested) this.#again(Math.max(pause, waitMs));
    else if (waitMs > 0) this.#again(waitMs);
  }

  #again(ms: number): void {
    this.#timer = this.#options.clock.after(ms, () => this.request());
  }
}
