// All vCons after one redaction, for searching. The database selects them only by the time they were created; the query
// is compared here. So the statements, and the documents that are read, depend neither on the query nor on hidden
// content.
import { type TimeSlice, Turns } from '@tidings/live/time';
import type { JsonObject } from '../../model/json.ts';
import type { Redaction } from '../../model/redaction.ts';
import { inSlices } from '../in-slices.ts';
import { documentInSteps } from '../row.ts';
import type { After, Order } from './order.ts';
import { type RedactedEntry, redactedEntry, entrySize } from './redacted-entry.ts';
import type { Scanned, SearchQueries, TimeSpan } from './search-queries.ts';

export interface Indexed extends Pick<Scanned, 'id' | 'uuid' | 'created' | 'size'> {
  readonly entry: RedactedEntry;
}

interface IndexedDocument {
  entry: RedactedEntry;
  /** Version of the content that was indexed. */
  version: string;
  size: number;
}

/** How many characters all indexes of a server may keep. */
export class IndexRoom {
  #left: number;

  constructor(characters = 64_000_000) {
    this.#left = characters;
  }

  take(size: number): boolean {
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }

  release(size: number): void {
    this.#left += size;
  }
}

/** The number of rows per query grows, since many searches end after a few rows. */
const firstRows = 50;
const mostRows = 1000;
/** Characters read at once; a larger document is read alone. */
const charactersAtOnce = 8_000_000;

export class RedactedIndex {
  readonly #queries: Pick<SearchQueries, 'scan' | 'documents'>;
  readonly #redaction: Redaction;
  readonly #room: IndexRoom;
  readonly #slice: TimeSlice;
  /** By uuid. Entries that do not fit into the memory limit are computed again for every search. */
  readonly #kept = new Map<string, IndexedDocument>();
  /** Searches read and redact one at a time: later ones reuse the entries of earlier ones. */
  readonly #turns = new Turns();

  /** `slice` is shared by all searches. */
  constructor(
    queries: Pick<SearchQueries, 'scan' | 'documents'>,
    redaction: Redaction,
    room: IndexRoom,
    slice: TimeSlice,
  ) {
    this.#queries = queries;
    this.#redaction = redaction;
    this.#room = room;
    this.#slice = slice;
  }

  /** Yields every vCon of this time span, in this order, some at a time. */
  async *entries(span: TimeSpan, order: Order, after?: After): AsyncGenerator<readonly Indexed[]> {
    let position = after;
    for (let count = firstRows; ; count = Math.min(count * 2, mostRows)) {
      const rows = await this.#turns.take(() => this.#queries.scan(span, order, position, count));
      for (const some of inParts(rows, (row) => (this.#isKept(row) ? 0 : row.size))) {
        yield await this.#turns.take(() => this.#entriesOf(some));
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < count) return;
      position = { key: '', created: last.created, uuid: last.uuid };
    }
  }

  /** Yields the redacted documents of these entries; deleted ones are left out. */
  async *documents(entries: readonly Indexed[]): AsyncGenerator<[id: number, document: JsonObject]> {
    for (const some of inParts(entries, ({ size }) => size)) {
      const rows = await this.#turns.take(() => this.#queries.documents(some.map(({ id }) => id)));
      for (const row of rows) yield [row.id, await this.#redacted(row)];
    }
  }

  forget(uuid: string): void {
    const kept = this.#kept.get(uuid);
    if (kept === undefined) return;
    this.#kept.delete(uuid);
    this.#room.release(kept.size);
  }

  clear(): void {
    for (const uuid of this.#kept.keys()) this.forget(uuid);
  }

  async #entriesOf(rows: readonly Scanned[]): Promise<Indexed[]> {
    const missing = rows.filter((row) => !this.#isKept(row)).map(({ id }) => id);
    const read = new Map((await this.#queries.documents(missing)).map((row) => [row.id, row]));
    const entries: Indexed[] = [];
    for (const row of rows) {
      const found = read.get(row.id);
      const kept = this.#isKept(row) ? this.#kept.get(row.uuid)?.entry : undefined;
      const entry = kept ?? (found && this.#keep(row, await this.#redacted(found)));
      // Deleted vCons are left out.
      if (entry) entries.push({ id: row.id, uuid: row.uuid, created: row.created, size: row.size, entry });
    }
    return entries;
  }

  #redacted(row: Parameters<typeof documentInSteps>[0]): Promise<JsonObject> {
    return inSlices(documentInSteps(row, this.#redaction), this.#slice);
  }

  #keep(row: Scanned, document: JsonObject): RedactedEntry {
    const entry = redactedEntry(document);
    const size = entrySize(entry);
    this.forget(row.uuid);
    if (this.#room.take(size)) this.#kept.set(row.uuid, { entry, version: versionOf(row), size });
    return entry;
  }

  #isKept(row: Scanned): boolean {
    return this.#kept.get(row.uuid)?.version === versionOf(row);
  }
}

/** A document without a time may be imported again with another one. */
function versionOf({ digest, created }: Scanned): string {
  return `${digest} ${created}`;
}

function* inParts<T>(rows: readonly T[], sizeOfRow: (row: T) => number): Iterable<readonly T[]> {
  let part: T[] = [];
  let size = 0;
  for (const row of rows) {
    const own = sizeOfRow(row);
    if (part.length > 0 && size + own > charactersAtOnce) {
      yield part;
      [part, size] = [[], 0];
    }
    part.push(row);
    size += own;
  }
  if (part.length > 0) yield part;
}
