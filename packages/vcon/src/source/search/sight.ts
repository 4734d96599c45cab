// The hits that one caller may see. Under a redaction, everything returned is redacted.
import { eventLoopTurn } from '@tidings/live/time';
import { type Json, type JsonObject, isObject } from '../../model/json.ts';
import type { Redaction } from '../../model/redaction.ts';
import { tagsOf } from '../../model/tags.ts';
import { documentColumns, documentOf } from '../row.ts';
import type { Asked, Hit } from './search-queries.ts';
import type { Snippet } from './snippet.ts';

/** May this caller see this vCon? */
export type Permits = (uuid: string) => boolean | Promise<boolean>;

export interface SightOptions {
  redaction: Redaction | undefined;
  permits: Permits | undefined;
  /** Ends the search when its request is cancelled. */
  signal: AbortSignal | undefined;
}

/** A hit with its document as the caller may see it, where that was read. */
export interface Seen {
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

/** Asks for the next hits: after the last one, which is after so many. */
export type Ask = (asked: Asked, last: Hit | undefined, offset: number) => Promise<Hit[]>;

/** Rows that are read at once where not all of them may be seen: few at first, then more and more. */
const firstBatch = 50;
const largestBatch = 1000;
/** After so many documents other work gets a turn. */
const inOneGo = 20;

export class Sight {
  readonly #options: SightOptions;

  constructor(options: SightOptions) {
    this.#options = options;
  }

  /** The first ones that may be seen, in their order. */
  async first(limit: number, columns: Asked['columns'], ask: Ask): Promise<Seen[]> {
    const { permits, signal } = this.#options;
    const seen: Seen[] = [];
    let looked = 0;
    for await (const hit of this.#hits(limit, columns, ask)) {
      looked += 1;
      if (looked % inOneGo === 0) await eventLoopTurn();
      if (signal?.aborted) break;
      if (permits && !(await permits(hit.uuid))) continue;
      seen.push({ hit, document: this.#document(hit) });
      if (seen.length === limit) break;
    }
    return seen;
  }

  result({ hit, document }: Seen, match: Pick<Result, 'score' | 'snippets'> = {}): Result {
    const { uuid } = hit;
    if (this.#options.redaction) {
      const { created_at = null, subject = null, attachments } = document ?? {};
      return { uuid, created_at, subject, tags: tagsOf(attachments), ...match };
    }
    const tags: unknown = JSON.parse(hit.tags ?? '{}');
    const [created_at, subject] = [JSON.parse(hit.created_at), JSON.parse(hit.subject ?? 'null')];
    return { uuid, created_at, subject, tags: isObject(tags) ? tags : {}, ...match };
  }

  /** Hits in their order, read in batches: one is enough where everything may be seen. */
  async *#hits(limit: number, columns: Asked['columns'], ask: Ask): AsyncGenerator<Hit> {
    const { redaction, permits } = this.#options;
    let count = redaction || permits ? Math.max(limit, firstBatch) : limit;
    let last: Hit | undefined;
    for (let offset = 0; ;) {
      const rows = await ask({ count, columns: redaction ? documentColumns : columns }, last, offset);
      // Those past the budget are read with the next batch.
      const hits = redaction ? rows.filter(({ held }) => held === 1) : rows;
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
