// Isolates the readers of a feed from each other: an error of one is logged, and the next one is called. A reader that
// has left is not called any more, not even for the change that is being delivered.
import type { Change, ChangeReader, Log } from '@tidings/live';

export class IsolatedReader implements ChangeReader {
  readonly #reader: ChangeReader;
  readonly #log: Log;
  #hasLeft = false;

  constructor(reader: ChangeReader, log: Log) {
    this.#reader = reader;
    this.#log = log;
  }

  get isSelective(): boolean {
    return this.#reader.isSelective === true;
  }

  change(change: Change): void {
    this.#deliver(() => this.#reader.change(change));
  }

  gap(): void {
    this.#deliver(() => this.#reader.gap());
  }

  leave(): void {
    this.#hasLeft = true;
  }

  #deliver(deliver: () => void): void {
    if (this.#hasLeft) return;
    try {
      deliver();
    } catch (error) {
      this.#log.error({ err: error }, 'A reader of the outbox failed.');
    }
  }
}
