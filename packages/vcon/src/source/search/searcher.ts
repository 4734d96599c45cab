// The ways to find vCons, for one caller.
import type { Redaction } from '../../model/redaction.ts';
import type { Meaning } from '../embedding/meaning.ts';
import { type Criteria, wordsOf } from './criteria.ts';
import { fused } from './fusion.ts';
import type { Matches } from './matches.ts';
import { type Order, afterOf, cursorOf } from './order.ts';
import type { SearchQueries } from './search-queries.ts';
import type { Result, Sight } from './sight.ts';
import { beginningOf } from './snippet.ts';
import type { CensusOptions, CountedKey } from './tag-census.ts';

export interface ResultPage {
  results: Result[];
  nextCursor: string | null;
}

export interface SearcherDeps {
  matches: Matches;
  sight: Sight;
  queries: SearchQueries;
  meaning: Meaning;
  redaction: Redaction | undefined;
  needVectors(this: void): void;
}

const texts = ['head', 'dialog', 'analysis'] as const;

export class Searcher {
  readonly #deps: SearcherDeps;

  constructor(deps: SearcherDeps) {
    this.#deps = deps;
  }

  async find(criteria: Criteria, order: Order, limit: number, cursor?: string): Promise<ResultPage> {
    const after = cursor === undefined ? undefined : afterOf(cursor, order);
    // One more than the page: only then is it known that there is a next one.
    const found = await this.#deps.matches.find(criteria, order, limit + 1, after);
    const last = found.length > limit ? found[limit - 1]?.place : undefined;
    return {
      results: found.slice(0, limit).map(({ result }) => result),
      nextCursor: last === undefined ? null : cursorOf(order, last),
    };
  }

  async byWords(query: string, limit: number): Promise<Result[]> {
    return this.#deps.matches.byWords(wordsOf(query), limit);
  }

  /** Under a redaction by vectors that were made of what it leaves. */
  async byMeaning(query: string, limit: number, threshold?: number): Promise<Result[]> {
    const { meaning, queries, sight, redaction, needVectors } = this.#deps;
    needVectors();
    const nearest = await meaning.nearestTo(await meaning.vectorOf(query), redaction);
    const near = await sight.first(limit, texts, (asked, _, offset) => queries.nearest(nearest, offset, asked));
    return near
      .map((seen) => ({ seen, score: seen.hit.score ?? 0 }))
      .filter(({ score }) => threshold === undefined || score >= threshold)
      .map(({ seen, score }) => {
        const snippets = seen.document === undefined ? [] : beginningOf(seen.document);
        return sight.result(seen, { score, snippets });
      });
  }

  /** By both, as the two lists have it; `weight` is that of meaning. */
  async byBoth(query: string, limit: number, weight: number): Promise<Result[]> {
    const depth = Math.min(limit * 3, 100);
    const [near, matching] = [await this.byMeaning(query, depth), await this.byWords(query, depth)];
    return fused(matching, near, weight).slice(0, limit);
  }

  tagCensus(options: CensusOptions): Promise<CountedKey[]> {
    return this.#deps.matches.tagCensus(options);
  }
}
