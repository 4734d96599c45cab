// What was heard and not yet looked into: each URI once, however often it is announced.

export class Attention {
  readonly #updated = new Map<string, number>();
  #listChanged = false;
  #lost: string | undefined;
  #wake: () => void = () => undefined;

  /** `at` is when it was heard; the first time counts. */
  updated(uri: string, at: number): void {
    if (!this.#updated.has(uri)) this.#updated.set(uri, at);
    this.#wake();
  }

  listChanged(): void {
    this.#listChanged = true;
    this.#wake();
  }

  /** The first reason is the true one. */
  lost(reason: string): void {
    this.#lost ??= reason;
    this.#wake();
  }

  get reasonLost(): string | undefined {
    return this.#lost;
  }

  /** Waits until there is something to take, or nothing more to hear. */
  async next(): Promise<{ updated: Map<string, number>; listChanged: boolean }> {
    if (this.#updated.size === 0 && !this.#listChanged && this.#lost === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const taken = { updated: new Map(this.#updated), listChanged: this.#listChanged };
    this.#updated.clear();
    this.#listChanged = false;
    return taken;
  }
}
