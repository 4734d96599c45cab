// The ways to find vCons, for one caller.
import type { JsonObject } from '../../model/json.ts';
import type { Redaction } from '../../model/redaction.ts';
import type { SemanticIndex } from '../embedding/semantic-index.ts';
import { type Vector } from '../embedding/vector.ts';
import type { Criteria, WordCriteria } from './criteria.ts';
import { fused } from './fusion.ts';
import type { Matches } from './matches.ts';
import { comparedHere } from './plain-matches.ts';
import { isMetBy, redactedEntry } from './redacted-entry.ts';
import { type Order, afterOf, searchCursor } from './order.ts';
import type { SearchQueries } from './search-queries.ts';
import type { HitQuery, Looking, Result, VisibleHits } from './visible-hits.ts';
import { beginningOf } from './snippet.ts';
import type { TagCountOptions, CountedKey } from './tag-counts.ts';

interface ResultPage {
  results: Result[];
  nextCursor: string | null;
}

interface SearcherDeps {
  matches: Matches;
  visibleHits: VisibleHits;
  queries: SearchQueries;
  semanticIndex: SemanticIndex;
  redaction: Redaction | undefined;
  needVectors(this: void): void;
}

const texts = ['head', 'dialog', 'analysis'] as const;
const nothingLess = Number.NEGATIVE_INFINITY;

export class Searcher {
  readonly #deps: SearcherDeps;

  constructor(deps: SearcherDeps) {
    this.#deps = deps;
  }

  async find(criteria: Criteria, order: Order, limit: number, cursor?: string): Promise<ResultPage> {
    const after = cursor === undefined ? undefined : afterOf(cursor, order);
    // One more than the page, to know whether there is a next one.
    const found = await this.#deps.matches.find(criteria, order, limit + 1, after);
    const last = found.length > limit ? found[limit - 1]?.position : undefined;
    return {
      results: found.slice(0, limit).map(({ result }) => result),
      nextCursor: last === undefined ? null : searchCursor(order, last),
    };
  }

  byWords(criteria: WordCriteria, limit: number): Promise<Result[]> {
    return this.#deps.matches.byWords(criteria, limit);
  }

  count(criteria: Criteria): Promise<number> {
    return this.#deps.matches.count(criteria);
  }

  /** The vector to compare with: of this text, or the given one. */
  async vectorOf({ query, embedding }: { query?: string | undefined; embedding?: Vector | undefined }) {
    const { semanticIndex } = this.#deps;
    if (embedding !== undefined) return semanticIndex.given(embedding);
    return semanticIndex.vectorOf(query ?? '');
  }

  /** Under a redaction, with vectors of the redacted text. */
  async byMeaning(vector: Vector, criteria: Criteria, limit: number, threshold = nothingLess): Promise<Result[]> {
    const { visibleHits } = this.#deps;
    const { looking, ask } = await this.#near(vector, criteria);
    const scored = (await visibleHits.first({ limit, ...looking }, ask)).filter(
      ({ hit }) => (hit.score ?? 0) >= threshold,
    );
    return visibleHits.each(scored, (seen) => {
      const snippets = seen.document === undefined ? [] : beginningOf(seen.document);
      return visibleHits.result(seen, { score: seen.hit.score ?? 0, snippets });
    });
  }

  async countByMeaning(vector: Vector, criteria: Criteria, threshold = nothingLess): Promise<number> {
    const { looking, ask } = await this.#near(vector, criteria);
    return this.#deps.visibleHits.count(looking, ask, ({ hit }) => (hit.score ?? 0) >= threshold);
  }

  /** Combines the ranks of both searches; `weight` is the share of meaning. */
  async byBoth(vector: Vector, criteria: WordCriteria, limit: number, weight: number): Promise<Result[]> {
    const depth = Math.max(limit, Math.min(limit * 3, 100));
    const { words: _, ...others } = criteria;
    const near = await this.byMeaning(vector, others, depth);
    const matching = await this.byWords(criteria, depth);
    return fused(matching, near, weight).slice(0, limit);
  }

  /**
   * The query for the nearest vectors. Under a redaction, SQL compares only times; all other criteria are compared with
   * the redacted text.
   */
  async #near(vector: Vector, criteria: Criteria): Promise<{ looking: Looking; ask: HitQuery }> {
    const { semanticIndex, queries, redaction, needVectors } = this.#deps;
    needVectors();
    const near = await semanticIndex.nearestTo(vector, redaction);
    const { from, to } = criteria;
    const inSql: Criteria = redaction === undefined ? criteria : { from, to };
    const { columns, accepts } =
      redaction === undefined
        ? comparedHere(criteria)
        : { columns: [], accepts: (document: JsonObject) => isMetBy(redactedEntry(document), criteria) };
    return {
      looking: { columns: [...texts, ...columns], accepts },
      ask: (asked, _, offset) => queries.nearest(near, inSql, offset, asked),
    };
  }

  tagCounts(options: TagCountOptions): Promise<CountedKey[]> {
    return this.#deps.matches.tagCounts(options);
  }
}
