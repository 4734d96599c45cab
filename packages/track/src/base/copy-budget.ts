// How many copies of one request may still be sent, by all layers together: a server that is only slow should not be
// given more work by each layer that waits for it.

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

  /** A copy is sent. */
  take(): void {
    this.#left -= 1;
  }

  /** Those that were sent are lost. */
  refill(): void {
    this.#left = this.#most;
  }
}
