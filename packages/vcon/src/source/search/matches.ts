// How vCons are found by criteria, words and tags. There are two ways: by the engines' indexes, which hold
// everything (PlainMatches), and by what a redaction leaves (RedactedMatches).
import type { Criteria, WordCriteria } from './criteria.ts';
import type { After, Order } from './order.ts';
import type { Result } from './visible-hits.ts';
import type { CensusOptions, CountedKey } from './tag-census.ts';

export interface Found {
  position: After;
  result: Result;
}

export interface Matches {
  find(criteria: Criteria, order: Order, limit: number, after: After | undefined): Promise<Found[]>;
  byWords(criteria: WordCriteria, limit: number): Promise<Result[]>;
  /** How many meet them in all. */
  count(criteria: Criteria): Promise<number>;
  tagCensus(options: CensusOptions): Promise<CountedKey[]>;
}
