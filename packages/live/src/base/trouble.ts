// Problems of a server's dependencies, for the process that runs it: the server answers, but a device, a database or
// another program that it needs does not.

export class Trouble {
  #words = '';
  #isExpected = false;
  readonly #listeners = new Set<() => void>();

  /** The problem and what to do about it; empty if there is none. */
  get words(): string {
    return this.#words;
  }

  /** Whether it may stay like this, such as a program that this machine may not have. */
  get isExpected(): boolean {
    return this.#isExpected;
  }

  report(words: string, { isExpected = false } = {}): void {
    if (words === this.#words) return;
    this.#words = words;
    this.#isExpected = isExpected;
    for (const listener of this.#listeners) listener();
  }

  /** Returns a function that removes the listener. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
