// A clock that counts only time in which the processes of the suite could run. On a busy machine a process waits for a
// CPU, and a notification is late for that reason only. Of each interval, the longest time that any process waited for
// a CPU is subtracted. Waiting for a timer or a response counts as usual. Linux reports how long a thread waited for a
// CPU; on other systems all time counts.
import { cpuWaitMs } from '../support/run/cpu-wait.js';

const everyMs = 50;
/** A longer interval between two ticks is a delay of the suite itself. */
const mostMs = 75;

export interface Timekeeper {
  now(): number;
  /** Resolves after this much time of this clock. */
  pass(ms: number): Promise<void>;
}

export class RunnableClock implements Timekeeper, AsyncDisposable {
  readonly #pids: () => readonly number[];
  readonly #ticking = setInterval(() => this.#tick(), everyMs);
  #waited = new Map<number, number>();
  #lookedAt = performance.now();
  #ms = 0;
  readonly #beganAt = performance.now();

  /** `pids` returns the current processes. */
  constructor(pids: () => readonly number[]) {
    this.#pids = pids;
  }

  now(): number {
    return this.#ms;
  }

  async pass(ms: number): Promise<void> {
    const until = this.#ms + ms;
    while (this.#ms < until) await new Promise((resolve) => setTimeout(resolve, everyMs));
  }

  /** The share of real time that was not counted. */
  get waitedShare(): number {
    return 1 - this.#ms / Math.max(1, performance.now() - this.#beganAt);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#ticking);
  }

  #tick(): void {
    const now = performance.now();
    const passedMs = now - this.#lookedAt;
    this.#lookedAt = now;
    const before = this.#waited;
    this.#waited = new Map(this.#pids().map((pid) => [pid, cpuWaitMs(pid)]));
    const waitedMs = Math.max(0, ...[...this.#waited].map(([pid, ms]) => ms - (before.get(pid) ?? ms)));
    this.#ms += Math.min(passedMs, mostMs) * (1 - Math.min(1, waitedMs / passedMs));
  }
}
