// A value that is visible to all code that runs inside a scope, through every `await`. While a scope is open, Node up
// to version 23 does more work for every promise of the process (a loop of awaits takes up to ten times as long) and
// does not stop afterwards, so the storage is disabled whenever no scope is open.
import { AsyncLocalStorage } from 'node:async_hooks';

export class AsyncScope<T> {
  readonly #storage = new AsyncLocalStorage<T>();
  #open = 0;

  async run<R>(value: T, work: () => Promise<R>): Promise<R> {
    this.#open += 1;
    try {
      return await this.#storage.run(value, work);
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#storage.disable();
    }
  }

  /** The value of the innermost scope around the caller, while any is open. */
  current(): T | undefined {
    return this.#storage.getStore();
  }
}
