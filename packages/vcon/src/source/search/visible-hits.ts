// The hits that one caller may see. Under a redaction, everything returned is redacted.
import type { TimeSlice } from '@tidings/live/time';
import { type Json, type JsonObject, isObject } from '../../model/json.ts';
import type { Redaction } from '../../model/redaction.ts';
import { tagsOf } from '../../model/tags.ts';
import { documentColumns, documentOf } from '../row.ts';
import type { HitRequest, Hit } from './search-queries.ts';
import type { Snippet } from './snippet.ts';

/** May this caller see this vCon? */
export type Permits = (uuid: string) => boolean | Promise<boolean>;

export interface VisibleHitsOptions {
  redaction: Redaction | undefined;
  permits: Permits | undefined;
  /** Ends the search when its request is cancelled. */
  signal: AbortSignal | undefined;
  /** Shared by all searches: together they must not block longer than one. */
  slice: TimeSlice;
}

/** A hit with its document as the caller may see it, where that was read. */
interface SeenHit {
  hit: Hit;
  document: JsonObject | undefined;
}

export interface Result {
  uuid: string;
  created_at: Json;
  subject: Json;
  tags: JsonObject;
  score?: number;
  snippets?: Snippet[];
}

/** Whether the visible part of a vCon matches the search. */
export type Accepts = (document: JsonObject) => boolean;

export interface Looking {
  /** The columns from which documents are made, for `accepts` and for the result. */
  columns: HitRequest['columns'];
  accepts?: Accepts | undefined;
}

/** Queries the next hits: those after `last`, which are those after the first `offset`. */
export type HitQuery = (asked: HitRequest, last: Hit | undefined, offset: number) => Promise<Hit[]>;

/** The number of rows per query if some may be invisible; it grows. */
const firstBatch = 50;
const largestBatch = 1000;

export class VisibleHits {
  readonly #options: VisibleHitsOptions;

  constructor(options: VisibleHitsOptions) {
    this.#options = options;
  }

  /** Whether all hits are visible, so that none needs a check. */
  get seesAll(): boolean {
    return this.#options.permits === undefined && this.#options.redaction === undefined;
  }

  /** The first visible hits, in order. */
  async first({ limit, ...looking }: Looking & { limit: number }, ask: HitQuery): Promise<SeenHit[]> {
    const seen: SeenHit[] = [];
    for await (const each of this.#seen(limit, looking, ask)) if (seen.push(each) === limit) break;
    return seen;
  }

  /** The number of visible hits. */
  async count(looking: Looking, ask: HitQuery, isWanted: (seen: SeenHit) => boolean = () => true): Promise<number> {
    let count = 0;
    for await (const each of this.#seen(largestBatch, looking, ask)) if (isWanted(each)) count += 1;
    return count;
  }

  async *#seen(limit: number, looking: Looking, ask: HitQuery): AsyncGenerator<SeenHit> {
    const { permits, signal, slice } = this.#options;
    for await (const hit of this.#hits(limit, looking, ask)) {
      if (signal?.aborted) return;
      if (permits && !(await permits(hit.uuid))) continue;
      for (let pause = slice.pause(); pause; pause = slice.pause()) await pause;
      const document = this.#document(hit);
      if (looking.accepts && (document === undefined || !looking.accepts(document))) continue;
      yield { hit, document };
    }
  }

  /** The results of `make` for each hit, in time slices. */
  async each<T>(all: readonly SeenHit[], make: (seen: SeenHit) => T): Promise<T[]> {
    const { slice } = this.#options;
    const made: T[] = [];
    for (const seen of all) {
      for (let pause = slice.pause(); pause; pause = slice.pause()) await pause;
      made.push(make(seen));
    }
    return made;
  }

  result({ hit, document }: SeenHit, match: Pick<Result, 'score' | 'snippets'> = {}): Result {
    const { uuid } = hit;
    if (this.#options.redaction) {
      const { created_at = null, subject = null, attachments } = document ?? {};
      return { uuid, created_at, subject, tags: tagsOf(attachments), ...match };
    }
    const tags: unknown = JSON.parse(hit.tags ?? '{}');
    const [created_at, subject] = [JSON.parse(hit.created_at), JSON.parse(hit.subject ?? 'null')];
    return { uuid, created_at, subject, tags: isObject(tags) ? tags : {}, ...match };
  }

  /** Hits in order, read in batches; one batch is enough if nothing is filtered. */
  async *#hits(limit: number, { columns, accepts }: Looking, ask: HitQuery): AsyncGenerator<Hit> {
    const { redaction, permits } = this.#options;
    const needsDocument = redaction !== undefined || accepts !== undefined;
    let count = needsDocument || permits ? Math.max(limit, firstBatch) : limit;
    let last: Hit | undefined;
    for (let offset = 0; ;) {
      const rows = await ask({ count, columns: redaction ? documentColumns : columns }, last, offset);
      // Documents past the budget are read with the next batch.
      const hits = needsDocument ? rows.filter(({ held }) => held === 1) : rows;
      yield* hits;
      if (rows.length < count && hits.length === rows.length) return;
      last = hits.at(-1);
      offset += hits.length;
      count = Math.max(count, Math.min(count * 2, largestBatch));
    }
  }

  #document(hit: Hit): JsonObject | undefined {
    const { head } = hit;
    return head === null ? undefined : documentOf({ ...hit, head }, this.#options.redaction);
  }
}
