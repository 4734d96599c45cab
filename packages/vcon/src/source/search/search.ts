// The common parts of all searches; each caller searches through its own `Searcher`.
import { BoundedMap } from '@tidings/live/portable';
import { TimeSlice, systemClock } from '@tidings/live/time';
import type { Redaction } from '../../model/redaction.ts';
import type { SemanticIndex } from '../embedding/semantic-index.ts';
import type { VconStore } from '../tables.ts';
import { uuidsIn } from '../topics.ts';
import { PlainMatches } from './plain-matches.ts';
import { IndexRoom, RedactedIndex } from './redacted-index.ts';
import { RedactedMatches } from './redacted-matches.ts';
import { SearchQueries } from './search-queries.ts';
import { Searcher } from './searcher.ts';
import { type Permits, VisibleHits } from './visible-hits.ts';

/** An edited redaction leaves an unused index behind. */
const mostIndexes = 8;

export class Search {
  readonly #store: VconStore;
  readonly #queries: SearchQueries;
  readonly #semanticIndex: SemanticIndex;
  readonly #needVectors: (redaction: Redaction | undefined) => void;
  readonly #room = new IndexRoom();
  readonly #slice = new TimeSlice(systemClock);
  /** In order of use, the most recent last. */
  readonly #indexes = new BoundedMap<Redaction, RedactedIndex>(mostIndexes, (unused) => unused.clear());
  readonly #unfollow: () => void;

  /** `needVectors` is called with the redaction of each search by meaning. */
  constructor(store: VconStore, semanticIndex: SemanticIndex, needVectors: (redaction: Redaction | undefined) => void) {
    this.#store = store;
    this.#needVectors = needVectors;
    this.#queries = new SearchQueries(store);
    this.#semanticIndex = semanticIndex;
    // An index detects outdated entries itself; this removes deleted vCons from memory.
    this.#unfollow = store.feed.follow({
      change: ({ topics }) => {
        for (const uuid of uuidsIn(topics)) for (const index of this.#indexes.values()) index.forget(uuid);
      },
      gap: () => {
        for (const index of this.#indexes.values()) index.clear();
      },
    });
  }

  as(redaction: Redaction | undefined, permits?: Permits, signal?: AbortSignal): Searcher {
    const [{ db }, queries, semanticIndex] = [this.#store, this.#queries, this.#semanticIndex];
    const visibleHits = new VisibleHits({ redaction, permits, signal, slice: this.#slice });
    const matches =
      redaction === undefined
        ? new PlainMatches(db, queries, visibleHits)
        : new RedactedMatches(this.#index(redaction), { permits, signal });
    const needVectors = () => this.#needVectors(redaction);
    return new Searcher({ matches, visibleHits, queries, semanticIndex, redaction, needVectors });
  }

  close(): void {
    this.#unfollow();
  }

  #index(redaction: Redaction): RedactedIndex {
    const [queries, room, slice] = [this.#queries, this.#room, this.#slice];
    const index = this.#indexes.get(redaction) ?? new RedactedIndex(queries, redaction, room, slice);
    this.#indexes.set(redaction, index);
    return index;
  }
}
