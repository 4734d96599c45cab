// Problems of what a server depends on, for the process that runs it: the server answers, but a device, a database or
// another program that it needs does not.

export class Trouble {
  #words = '';
  readonly #listeners = new Set<() => void>();

  /** What is wrong and what to do; empty while nothing is wrong. */
  get words(): string {
    return this.#words;
  }

  report(words: string): void {
    if (words === this.#words) return;
    this.#words = words;
    for (const listener of this.#listeners) listener();
  }

  /** Returns how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
