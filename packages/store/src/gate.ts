// Refuses new work once a store is being closed, and waits for the work that has begun.
import { databaseError } from './database-error.ts';

export class Gate {
  readonly #inside = new Set<Promise<unknown>>();
  #isOpen = true;

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw storeClosed();
    const result = work();
    this.#inside.add(result);
    try {
      return await result;
    } finally {
      this.#inside.delete(result);
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await Promise.allSettled(this.#inside);
  }
}

export function storeClosed() {
  return databaseError('This store has been closed. Open it again to use it.');
}
