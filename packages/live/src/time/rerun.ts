// Runs a task on request, one run at a time. A request during a run leads to one more run after it: the run under
// way may have read its input before the change that the request is about. So no request is lost, and however many
// come, at most one run is waiting.
//
//   idle ──request──► waiting ──end of this microtask──► running ──end──► idle
//                                                  └─request─► running, one waiting ──end──► running

/**
 * Runs a task again on request: requests during a run lead to one more run.
 *
 * @example
 * const sync = new Rerun(async () => store(await load()));
 * await sync.request();
 */
export class Rerun {
  readonly #task: () => Promise<unknown>;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #isStopped = false;

  constructor(task: () => Promise<unknown>) {
    this.#task = task;
  }

  /** Whether a run is waiting to begin. */
  get isRequested(): boolean {
    return this.#next !== undefined;
  }

  /**
   * Runs the task once more. Requests before that run begins share it. Resolves when that run has ended; rejects if it
   * failed. A failure does not prevent later runs.
   */
  request(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    if (this.#next === undefined) {
      const previous = this.#current?.catch(() => undefined) ?? Promise.resolve();
      this.#next = previous.then(() => this.#run());
    }
    return this.#next;
  }

  /** Resolves when nothing is running or waiting. Never rejects. */
  async idle(): Promise<void> {
    for (let last = this.#last; last !== undefined; last = this.#last) await last.catch(() => undefined);
  }

  /** No run begins after this call. Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.idle();
  }

  get #last(): Promise<void> | undefined {
    return this.#next ?? this.#current;
  }

  async #run(): Promise<void> {
    const own = this.#next;
    this.#next = undefined;
    if (this.#isStopped) {
      this.#current = undefined;
      return;
    }
    this.#current = own;
    try {
      await this.#task();
    } finally {
      if (this.#next === undefined) this.#current = undefined;
    }
  }
}
