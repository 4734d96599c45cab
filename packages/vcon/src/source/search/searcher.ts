// The ways to find vCons, for one caller.
import { LiveError } from '@tidings/live';
import type { Kysely } from 'kysely';
import { embeddingText } from '../embedding/embedding-text.ts';
import type { Meaning } from '../embedding/meaning.ts';
import { similarity } from '../embedding/vector.ts';
import type { Tables } from '../tables.ts';
import { type Criteria, isMetBy, wordsOf } from './criteria.ts';
import { fused } from './fusion.ts';
import { type After, type Order, afterOf, cursorOf, newestFirst } from './order.ts';
import type { Asked, Hit, SearchQueries } from './search-queries.ts';
import { type Result, type Seen, Sight, type SightOptions } from './sight.ts';
import { beginningOf, snippetsOf } from './snippet.ts';
import { type CensusOptions, type CountedKey, tagCensus } from './tag-census.ts';

export interface ResultPage {
  results: Result[];
  nextCursor: string | null;
}

export interface SearcherOptions extends SightOptions {
  db: Kysely<Tables>;
  queries: SearchQueries;
  meaning: Meaning;
}

const texts = ['head', 'dialog', 'analysis'] as const;

export class Searcher {
  readonly #options: SearcherOptions;
  readonly #sight: Sight;

  constructor(options: SearcherOptions) {
    this.#options = options;
    this.#sight = new Sight(options);
  }

  async find(criteria: Criteria, order: Order, limit: number, cursor?: string): Promise<ResultPage> {
    // Where something stands among others tells what it says.
    if (this.#options.redaction && order.by === 'subject') throw notBySubject();
    const after = cursor === undefined ? undefined : afterOf(cursor, order);
    // One more than the page: only then is it known that there is a next one.
    const seen = await this.#matching(criteria, order, limit + 1, [], after);
    const last = seen.length > limit ? seen[limit - 1]?.hit : undefined;
    return {
      results: seen.slice(0, limit).map((each) => this.#sight.result(each)),
      nextCursor: last === undefined ? null : cursorOf(order, placeOf(last)),
    };
  }

  /** The best first; under a redaction the newest, since how good a match is tells of what is hidden. */
  async byWords(query: string, limit: number): Promise<Result[]> {
    const { redaction, queries } = this.#options;
    const words = wordsOf(query);
    const seen = redaction
      ? await this.#matching({ words }, newestFirst, limit, texts)
      : await this.#sight.first(limit, texts, (asked, _, offset) => queries.matchingBest(words, offset, asked));
    return seen.map((each) => {
      const snippets = each.document === undefined ? [] : snippetsOf(each.document, words);
      return this.#sight.result(each, { snippets, ...(each.hit.score !== null && { score: each.hit.score }) });
    });
  }

  async byMeaning(query: string, limit: number, threshold?: number): Promise<Result[]> {
    const near = await this.#near(query, limit);
    return near
      .filter(({ score }) => threshold === undefined || score >= threshold)
      .slice(0, limit)
      .map(({ seen, score }) => {
        const snippets = seen.document === undefined ? [] : beginningOf(seen.document);
        return this.#sight.result(seen, { score, snippets });
      });
  }

  /** By both, as the two lists have it; `weight` is that of meaning. */
  async byBoth(query: string, limit: number, weight: number): Promise<Result[]> {
    const depth = Math.min(limit * 3, 100);
    const [near, matching] = [await this.byMeaning(query, depth), await this.byWords(query, depth)];
    return fused(matching, near, weight).slice(0, limit);
  }

  tagCensus(options: CensusOptions): Promise<CountedKey[]> {
    return tagCensus(this.#options.db, options, this.#options.redaction);
  }

  #matching(
    criteria: Criteria,
    order: Order,
    limit: number,
    columns: Asked['columns'],
    after?: After,
  ): Promise<Seen[]> {
    const { queries } = this.#options;
    return this.#sight.first(
      limit,
      columns,
      (asked, last) => queries.matching(criteria, order, last === undefined ? after : placeOf(last), asked),
      (document) => isMetBy(document, criteria),
    );
  }

  /**
   * What is hidden has gone into the vectors that are kept. So under a redaction the nearest are compared once
   * more, by vectors of what is left of them, and among more of them than are asked for.
   */
  async #near(query: string, limit: number): Promise<{ seen: Seen; score: number }[]> {
    const { meaning, queries, redaction } = this.#options;
    const vector = await meaning.vectorOf(query);
    const nearest = await meaning.nearestTo(vector);
    const wide = redaction ? Math.min(limit * 4, 200) : limit;
    const all = await this.#sight.first(wide, texts, (asked, _, offset) => queries.nearest(nearest, offset, asked));
    if (redaction === undefined) return all.map((seen) => ({ seen, score: seen.hit.score ?? 0 }));
    const shown = all.flatMap((seen) => {
      const text = seen.document && embeddingText(seen.document);
      return text === undefined ? [] : [{ seen, text }];
    });
    const vectors = await meaning.vectorsOf(shown.map(({ text }) => text));
    return shown
      .map(({ seen }, index) => ({ seen, score: similarity(vector, vectors[index]) }))
      .sort((a, b) => b.score - a.score);
  }
}

function placeOf({ sort_key: key, created, uuid }: Hit): After {
  return { key, created, uuid };
}

function notBySubject(): LiveError {
  return new LiveError(
    'PERMISSION_DENIED',
    'Your credentials show redacted conversations only, which can be ordered by created_at but not by subject.',
  );
}
