// A vCon as it is written: its row, and what it is found by. These are texts alone, so that the many of a batch are
// kept without the documents they were made from. A class, because V8 puts object literals that are often kept for a
// while where only a full collection finds them, and with them every text they hold.
import type { Accepted } from '../model/accept.ts';
import { type NewRow, type WrittenLists, rowOf } from './row.ts';
import { type Tag, keptWords, tagEntries } from './search-index.ts';
import type { Engine } from './tables.ts';

export class NewVcon {
  readonly row: NewRow;
  readonly words: string;
  readonly tags: readonly Tag[];

  constructor(engine: Engine, accepted: Accepted, written?: WrittenLists) {
    this.row = rowOf(accepted, written);
    this.words = keptWords(engine, accepted);
    this.tags = tagEntries(accepted);
  }
}
