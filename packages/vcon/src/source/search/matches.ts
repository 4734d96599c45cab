// How vCons are found by criteria, words and tags. There are two implementations: by the engines' indexes of the full
// text (PlainMatches), and by the redacted text (RedactedMatches).
import type { Criteria, WordCriteria } from './criteria.ts';
import type { After, Order } from './order.ts';
import type { Result } from './visible-hits.ts';
import type { TagCountOptions, CountedKey } from './tag-counts.ts';

export interface FoundVcon {
  position: After;
  result: Result;
}

export interface Matches {
  find(criteria: Criteria, order: Order, limit: number, after: After | undefined): Promise<FoundVcon[]>;
  byWords(criteria: WordCriteria, limit: number): Promise<Result[]>;
  /** The number of all matches. */
  count(criteria: Criteria): Promise<number>;
  tagCounts(options: TagCountOptions): Promise<CountedKey[]>;
}
