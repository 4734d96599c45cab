// Time in which the processes of the suite could run. On a busy machine a process waits for a CPU, and what it was told
// meanwhile is late for that reason only: of every moment, the part does not count for which the process that waited
// longest did so. A process that waits for something else, such as a timer or an answer, costs time as usual. Linux
// says how long a thread waited for a CPU; elsewhere all time counts.
import { cpuWaitMs } from '../support/cpu-wait.js';

const everyMs = 50;
/** More time between two looks is the suite's own delay. */
const mostMs = 75;

export interface Timekeeper {
  now(): number;
  /** Resolves when so much time has passed. */
  pass(ms: number): Promise<void>;
}

export class RunnableClock implements Timekeeper, AsyncDisposable {
  readonly #pids: () => readonly number[];
  readonly #ticking = setInterval(() => this.#tick(), everyMs);
  #waited = new Map<number, number>();
  #lookedAt = performance.now();
  #ms = 0;
  readonly #beganAt = performance.now();

  /** `pids` are those of the processes at the time. */
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

  /** Which part of the time so far did not count. */
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
