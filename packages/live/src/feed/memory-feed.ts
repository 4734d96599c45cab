// The feed of a single process: delivers changes at once, and keeps the newest for replay.
import type { Change, ChangeFeed, ChangeReader } from './change.ts';

/**
 * Changes of this process. The default feed.
 *
 * @example
 * liveServer({ name: 'notes', version: '1.0.0', feed: new MemoryFeed() })
 */
export class MemoryFeed implements ChangeFeed {
  readonly #readers = new Set<ChangeReader>();
  /** A ring: change `seq` is at `seq % horizon`. */
  readonly #recent: Change[] = [];
  readonly #horizon: number;
  /** Part of each cursor, to distinguish it from cursors of an earlier feed. */
  readonly #life = crypto.randomUUID();
  #seq = 0;

  constructor(horizon = 1024) {
    this.#horizon = horizon;
  }

  announce(topics: readonly string[]): void {
    this.#seq += 1;
    const change = { cursor: `${this.#life} ${this.#seq}`, topics };
    this.#recent[this.#seq % this.#horizon] = change;
    for (const reader of this.#readers) reader.change(change);
  }

  follow(reader: ChangeReader, after?: string): () => void {
    const position = after === undefined ? this.#seq : this.#positionOf(after);
    if (position === undefined || position < this.#seq - this.#horizon) reader.gap();
    else for (let seq = position + 1; seq <= this.#seq; seq += 1) this.#replay(seq, reader);
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  #positionOf(cursor: string): number | undefined {
    const [life, seq] = cursor.split(' ');
    return life === this.#life ? Number(seq) : undefined;
  }

  #replay(seq: number, reader: ChangeReader): void {
    const change = this.#recent[seq % this.#horizon];
    if (change) reader.change(change);
  }
}
