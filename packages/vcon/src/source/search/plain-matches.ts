// What matches, for callers who may see everything of a vCon: the engines find it by their indexes.
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { type Criteria, type Words } from './criteria.ts';
import type { Found, Matches } from './matches.ts';
import type { After, Order } from './order.ts';
import type { SearchQueries } from './search-queries.ts';
import type { Result, Sight } from './sight.ts';
import { snippetsOf } from './snippet.ts';
import { type CensusOptions, type CountedKey, tagCensus } from './tag-census.ts';

const texts = ['head', 'dialog', 'analysis'] as const;

export class PlainMatches implements Matches {
  readonly #db: Kysely<Tables>;
  readonly #queries: SearchQueries;
  readonly #sight: Sight;

  constructor(db: Kysely<Tables>, queries: SearchQueries, sight: Sight) {
    this.#db = db;
    this.#queries = queries;
    this.#sight = sight;
  }

  async find(criteria: Criteria, order: Order, limit: number, after: After | undefined): Promise<Found[]> {
    const seen = await this.#sight.first(limit, [], (asked, last) =>
      this.#queries.matching(
        criteria,
        order,
        last === undefined ? after : { key: last.sort_key, created: last.created, uuid: last.uuid },
        asked,
      ),
    );
    return seen.map((each) => {
      const { sort_key: key, created, uuid } = each.hit;
      return { place: { key, created, uuid }, result: this.#sight.result(each) };
    });
  }

  /** The best first. */
  async byWords(words: Words, limit: number): Promise<Result[]> {
    const seen = await this.#sight.first(limit, texts, (asked, _, offset) =>
      this.#queries.matchingBest(words, offset, asked),
    );
    return seen.map((each) => {
      const snippets = each.document === undefined ? [] : snippetsOf(each.document, words);
      return this.#sight.result(each, { snippets, ...(each.hit.score !== null && { score: each.hit.score }) });
    });
  }

  tagCensus(options: CensusOptions): Promise<CountedKey[]> {
    return tagCensus(this.#db, options);
  }
}
