// The feed of a single process: changes reach their readers at once, the newest stay for replay.
import type { Change, ChangeFeed, ChangeReader } from './change.ts';

export class MemoryFeed implements ChangeFeed {
  readonly #readers = new Set<ChangeReader>();
  /** A ring: change `seq` is at `seq % horizon`. */
  readonly #recent: Change[] = [];
  readonly #horizon: number;
  #seq = 0;

  constructor(horizon = 1024) {
    this.#horizon = horizon;
  }

  announce(topics: readonly string[]): void {
    this.#seq += 1;
    const change = { cursor: String(this.#seq), topics };
    this.#recent[this.#seq % this.#horizon] = change;
    for (const reader of this.#readers) reader.change(change);
  }

  follow(reader: ChangeReader, after = String(this.#seq)): () => void {
    const place = Number(after);
    // A place ahead of us comes from an earlier life of this feed: nothing can be said of it.
    const isKnown = place <= this.#seq && place >= this.#seq - this.#horizon;
    if (!isKnown) reader.gap();
    else for (let seq = place + 1; seq <= this.#seq; seq += 1) this.#replay(seq, reader);
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  #replay(seq: number, reader: ChangeReader): void {
    const change = this.#recent[seq % this.#horizon];
    if (change) reader.change(change);
  }
}
