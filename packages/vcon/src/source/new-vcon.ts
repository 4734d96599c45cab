// A vCon as it is written: its row, and what it is found by. These are texts alone, so that the many of a batch are
// kept without the documents they were made from.
import type { Accepted } from '../model/accept.ts';
import { type NewRow, rowOf } from './row.ts';
import { type Tag, keptWords, tagEntries } from './search-index.ts';
import type { Engine } from './tables.ts';

export interface NewVcon {
  readonly row: NewRow;
  readonly words: string;
  readonly tags: readonly Tag[];
}

export function newVcon(engine: Engine, accepted: Accepted): NewVcon {
  return { row: rowOf(accepted), words: keptWords(engine, accepted), tags: tagEntries(accepted) };
}
