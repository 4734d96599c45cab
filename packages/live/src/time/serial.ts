// One task at a time, in the order of the requests.

/**
 * Runs tasks one after the other.
 *
 * @example
 * const edits = new Serial();
 * await edits.run(async () => write(file, change(await read(file))));
 */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `task` when all earlier ones have ended, and settles as it does. A failure does not prevent later tasks. */
  async run<T>(task: () => T | Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }

  /** Resolves when all earlier tasks have ended. Later ones wait until the returned function is called. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}
