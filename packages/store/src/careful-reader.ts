// A reader of a feed that cannot harm the others: what it throws is logged, and the next one is told.
import type { Change, ChangeReader, Log } from '@tidings/live';

export class CarefulReader implements ChangeReader {
  readonly #reader: ChangeReader;
  readonly #log: Log;

  constructor(reader: ChangeReader, log: Log) {
    this.#reader = reader;
    this.#log = log;
  }

  change(change: Change): void {
    try {
      this.#reader.change(change);
    } catch (error) {
      this.#log.error({ error, topics: change.topics }, 'A reader of the outbox failed at a change.');
    }
  }

  gap(): void {
    try {
      this.#reader.gap();
    } catch (error) {
      this.#log.error({ error }, 'A reader of the outbox failed at a gap.');
    }
  }
}
