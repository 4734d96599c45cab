// How many copies of one request all layers together may still send: a server that is only slow should not get more
// work from each layer that waits for it.

export class CopyBudget {
  readonly #most: number;
  #left: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  get isEmpty(): boolean {
    return this.#left <= 0;
  }

  /** Counts one copy as sent. */
  take(): void {
    this.#left -= 1;
  }

  /** Allows as many copies again, because those sent so far are lost. */
  refill(): void {
    this.#left = this.#most;
  }
}
