// The rows of a vCon that is to be written: its own, and those by which it is found. They are only text, so that a batch
// of many does not keep their documents in memory. A class, because V8 soon allocates object literals that often live
// long in its old generation, where only a full collection frees them and their texts.
import type { Accepted } from '../model/accept.ts';
import { type NewRow, type WrittenLists, rowOf } from './row.ts';
import { type Tag, keptWords, tagEntries } from './search-index.ts';
import type { VconEngine } from './tables.ts';

export class NewVcon {
  readonly row: NewRow;
  readonly words: string;
  readonly tags: readonly Tag[];

  constructor(engine: VconEngine, accepted: Accepted, written?: WrittenLists) {
    this.row = rowOf(accepted, written);
    this.words = keptWords(engine, accepted);
    this.tags = tagEntries(accepted);
  }
}
