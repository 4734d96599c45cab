import { TimeSlice, eventLoopTurn, systemClock } from '@tidings/live/time';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { Redaction, type Steps } from '../../model/redaction.ts';
import { newestFirst } from './order.ts';
import { IndexRoom, RedactedIndex } from './redacted-index.ts';
import type { StoredDocument, Scanned } from './search-queries.ts';

/** Counts reads, and queries within one turn of the event loop. */
class CountedQueries {
  readonly read: number[] = [];
  mostInOneTurn = 0;
  readonly #rows: Scanned[];
  #inThisTurn = 0;

  constructor(count: number) {
    this.#rows = Array.from({ length: count }, (_, id) => ({ id, uuid: `${id}`, created: id, digest: '', size: 100 }));
  }

  async scan(...[, , after, count]: [unknown, unknown, { uuid: string } | undefined, number]): Promise<Scanned[]> {
    this.#count();
    const start = after === undefined ? 0 : Number(after.uuid) + 1;
    return this.#rows.slice(start, start + count);
  }

  async documents(ids: readonly number[]): Promise<StoredDocument[]> {
    if (ids.length === 0) return [];
    this.#count();
    this.read.push(...ids);
    const none = { parties: null, dialog: null, analysis: null, attachments: null, sealed: null };
    return ids.map((id) => ({ id, uuid: `${id}`, form: 'unsigned', head: `{"subject":"Call ${id}"}`, ...none }));
  }

  #count(): void {
    if (this.#inThisTurn === 0) setImmediate(() => (this.#inThisTurn = 0));
    this.#inThisTurn += 1;
    this.mostInOneTurn = Math.max(this.mostInOneTurn, this.#inThisTurn);
  }
}

const usualSlice = () => new TimeSlice(systemClock);

/** Needs a time slice for each document. Counts those within one turn of the event loop. */
class SlowRedaction extends Redaction {
  now = 0;
  readonly slice = new TimeSlice({ ...systemClock, now: () => this.now }, 10);
  mostInOneTurn = 0;
  #inThisTurn = 0;

  override *documentInSteps(document: JsonObject): Steps<JsonObject> {
    this.now += 10;
    if (this.#inThisTurn === 0) void eventLoopTurn().then(() => (this.#inThisTurn = 0));
    this.#inThisTurn += 1;
    this.mostInOneTurn = Math.max(this.mostInOneTurn, this.#inThisTurn);
    return yield* super.documentInSteps(document);
  }
}

async function subjectsIn(index: RedactedIndex): Promise<unknown[]> {
  const subjects: unknown[] = [];
  for await (const some of index.entries({}, newestFirst)) subjects.push(...some.map(({ entry }) => entry.subject));
  return subjects;
}

it('reads each document once for any number of simultaneous searches', async () => {
  const queries = new CountedQueries(300);
  const index = new RedactedIndex(queries, new Redaction({ mask: ['7'] }), new IndexRoom(), usualSlice());
  const searches = await Promise.all(Array.from({ length: 20 }, () => subjectsIn(index)));
  expect(searches.every((subjects) => subjects.length === 300 && subjects[7] === 'Call [redacted]')).toBe(true);
  expect(queries.read).toHaveLength(300);
});

it('lets other events be handled between the queries of many searches', async () => {
  const queries = new CountedQueries(300);
  const index = new RedactedIndex(queries, new Redaction({ mask: ['7'] }), new IndexRoom(), usualSlice());
  await Promise.all(Array.from({ length: 20 }, () => subjectsIn(index)));
  expect(queries.mostInOneTurn).toBe(1);
});

it('finds documents that do not fit into its memory limit too', async () => {
  const queries = new CountedQueries(120);
  const index = new RedactedIndex(queries, new Redaction({ mask: ['7'] }), new IndexRoom(1000), usualSlice());
  expect(await Promise.all([subjectsIn(index), subjectsIn(index)])).toEqual([
    expect.objectContaining({ length: 120 }),
    expect.objectContaining({ length: 120 }),
  ]);
});

it('lets other events be handled between large documents of many searches', async () => {
  const redaction = new SlowRedaction({ mask: ['7'] });
  const index = new RedactedIndex(new CountedQueries(60), redaction, new IndexRoom(1000), redaction.slice);
  const search = async () => {
    const documents: JsonObject[] = [];
    for await (const some of index.entries({}, newestFirst))
      for await (const [, document] of index.documents(some)) documents.push(document);
    return documents;
  };
  const searches = await Promise.all(Array.from({ length: 10 }, search));
  expect(searches.map(({ length }) => length)).toEqual(searches.map(() => 60));
  expect(redaction.mostInOneTurn).toBe(1);
});
