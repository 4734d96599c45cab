// A feed for tests, without a process or database behind it.
import type { ChangeFeed, ChangeReader } from '../feed/change.ts';

/**
 * A feed whose changes and gaps the test causes.
 *
 * @example
 * const feed = new FakeFeed();
 * const server = liveServer({ name: 'notes', version: '1.0.0', feed });
 */
export class FakeFeed implements ChangeFeed {
  /** The announced topics, in order. */
  readonly announced: (readonly string[])[] = [];
  readonly #readers = new Set<ChangeReader>();

  announce(topics: readonly string[]): void {
    this.announced.push(topics);
    for (const reader of this.#readers) reader.change({ cursor: String(this.announced.length), topics });
  }

  follow(reader: ChangeReader): () => void {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** Acts as if changes had been lost. */
  gap(): void {
    for (const reader of this.#readers) reader.gap();
  }

  get readers(): number {
    return this.#readers.size;
  }
}
