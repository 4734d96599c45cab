// Matches for callers without a redaction: the engines find them with their indexes.
import type { Kysely } from 'kysely';
import type { JsonObject } from '../../model/json.ts';
import { partyFields } from '../../model/party-text.ts';
import type { VconTables } from '../tables.ts';
import { type Criteria, type WordCriteria, hasParty } from './criteria.ts';
import type { FoundVcon, Matches } from './matches.ts';
import { type After, type Order, newestFirst } from './order.ts';
import type { HitRequest, Hit, SearchQueries } from './search-queries.ts';
import type { Accepts, Result, VisibleHits } from './visible-hits.ts';
import { snippetsOf } from './snippet.ts';
import { type TagCountOptions, type CountedKey, tagCounts } from './tag-counts.ts';

const texts = ['head', 'dialog', 'analysis'] as const;

export class PlainMatches implements Matches {
  readonly #db: Kysely<VconTables>;
  readonly #queries: SearchQueries;
  readonly #visibleHits: VisibleHits;

  constructor(db: Kysely<VconTables>, queries: SearchQueries, visibleHits: VisibleHits) {
    this.#db = db;
    this.#queries = queries;
    this.#visibleHits = visibleHits;
  }

  async find(criteria: Criteria, order: Order, limit: number, after: After | undefined): Promise<FoundVcon[]> {
    const { columns, accepts } = comparedHere(criteria);
    const seen = await this.#visibleHits.first({ limit, columns, accepts }, (asked, last) =>
      this.#queries.matching(criteria, order, last === undefined ? after : positionOf(last), asked),
    );
    return seen.map((each) => {
      return { position: positionOf(each.hit), result: this.#visibleHits.result(each) };
    });
  }

  /** The best first. */
  async byWords(criteria: WordCriteria, limit: number): Promise<Result[]> {
    const { columns, accepts } = comparedHere(criteria);
    const seen = await this.#visibleHits.first(
      { limit, columns: [...texts, ...columns], accepts },
      (asked, _, offset) => this.#queries.matchingBest(criteria, offset, asked),
    );
    return this.#visibleHits.each(seen, (each) => {
      const snippets = each.document === undefined ? [] : snippetsOf(each.document, criteria.words);
      return this.#visibleHits.result(each, { snippets, ...(each.hit.score !== null && { score: each.hit.score }) });
    });
  }

  async count(criteria: Criteria): Promise<number> {
    const { columns, accepts } = comparedHere(criteria);
    if (this.#visibleHits.seesAll && accepts === undefined) return this.#queries.count(criteria);
    return this.#visibleHits.count({ columns, accepts }, (asked, last) =>
      this.#queries.matching(criteria, newestFirst, last && positionOf(last), asked),
    );
  }

  tagCounts(options: TagCountOptions): Promise<CountedKey[]> {
    return this.#queries.inTurn(() => tagCounts(this.#db, options));
  }
}

/** The engines find candidates by the text of all party fields; single fields are compared here. */
export function comparedHere({ partyFields: wanted }: Criteria): {
  columns: HitRequest['columns'];
  accepts: Accepts | undefined;
} {
  if (wanted === undefined) return { columns: [], accepts: undefined };
  const accepts = (document: JsonObject) => hasParty(partyFields(document['parties']), wanted);
  return { columns: ['head', 'parties'], accepts };
}

function positionOf({ sort_key: key, created, uuid }: Hit): After {
  return { key, created, uuid };
}
