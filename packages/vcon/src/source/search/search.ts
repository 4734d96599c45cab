// Searching, for everybody; what one caller finds is found by that caller's searcher.
import type { Redaction } from '../../model/redaction.ts';
import type { Meaning } from '../embedding/meaning.ts';
import type { VconStore } from '../tables.ts';
import { SearchQueries } from './search-queries.ts';
import { Searcher } from './searcher.ts';
import type { Permits } from './sight.ts';

export class Search {
  readonly #store: VconStore;
  readonly #queries: SearchQueries;
  readonly #meaning: Meaning;

  constructor(store: VconStore, meaning: Meaning) {
    this.#store = store;
    this.#queries = new SearchQueries(store);
    this.#meaning = meaning;
  }

  as(redaction: Redaction | undefined, permits?: Permits, signal?: AbortSignal): Searcher {
    const [{ db }, queries, meaning] = [this.#store, this.#queries, this.#meaning];
    return new Searcher({ db, queries, meaning, redaction, permits, signal });
  }
}
