// New vCons and what they are found by, many at a time. Statements are compiled once: building one takes longer than
// running it.
import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { NewVcon } from './new-vcon.ts';
import { rowColumns } from './row.ts';
import type { Engine, Tables, VconStore, VconWriting } from './tables.ts';

/**
 * Rows of one statement: as many as fit of the first, then of the next, so that there are few different ones. On
 * SQLite a statement for many rows takes longer than one for each of them.
 */
const sizesOf: Record<Engine, readonly number[]> = { sqlite: [1], postgres: [20, 1] };

const columnsOf = {
  vcon: [...rowColumns, 'revision'],
  vcon_words: ['rowid', 'words'],
  tag: ['vcon_id', 'key', 'value'],
} as const;
type Table = keyof typeof columnsOf;
const firstRevision = 1;

export class VconInserts {
  readonly engine: Engine;
  readonly #db: Kysely<Tables>;
  readonly #compiled = new Map<string, CompiledQuery>();

  constructor({ db, engine }: VconStore) {
    this.#db = db;
    this.engine = engine;
  }

  /** The ids of those that were not there yet, by their uuid. Of two with one uuid the first counts. */
  async insert(writing: VconWriting, batch: readonly NewVcon[]): Promise<Map<string, number>> {
    const rows = batch.map(({ row }) => [...rowColumns.map((column) => row[column]), firstRevision]);
    const results = await this.#run<{ id: number; uuid: string }>(writing, 'vcon', rows);
    if (this.engine === 'postgres') {
      return new Map(results.flatMap((result) => result.rows.map(({ id, uuid }) => [uuid, id])));
    }
    const ids = new Map<string, number>();
    for (const [index, { row }] of batch.entries()) {
      const { numAffectedRows, insertId } = results[index] ?? {};
      if (numAffectedRows === 1n) ids.set(row.uuid, Number(insertId));
    }
    return ids;
  }

  async index(writing: VconWriting, entries: readonly { id: number; vcon: NewVcon }[]): Promise<void> {
    const words = entries.map(({ id, vcon }) => [id, vcon.words]);
    const tags = entries.flatMap(({ id, vcon }) => vcon.tags.map(({ key, value }) => [id, key, value]));
    await this.#run(writing, 'vcon_words', words);
    await this.#run(writing, 'tag', tags);
  }

  async #run<Row>(
    { runEach }: VconWriting,
    table: Table,
    rows: readonly (readonly unknown[])[],
  ): Promise<QueryResult<Row>[]> {
    const results: QueryResult<Row>[] = [];
    let start = 0;
    for (const size of sizesOf[this.engine]) {
      const lists: (readonly unknown[])[] = [];
      for (; rows.length - start >= size; start += size) {
        lists.push(size === 1 ? (rows[start] ?? []) : rows.slice(start, start + size).flat());
      }
      if (lists.length > 0) results.push(...(await runEach<Row>(this.#statement(table, size), lists)));
    }
    return results;
  }

  #statement<Row>(table: Table, rows: number): CompiledQuery<Row> {
    const key = `${table}/${rows}`;
    const known = this.#compiled.get(key);
    if (known) return known;
    const row = Object.fromEntries(columnsOf[table].map((column) => [column, '']));
    const query = this.#db
      .insertInto(table)
      .values(Array.from({ length: rows }, () => row))
      .$if(table === 'vcon', (insert) => insert.onConflict((conflict) => conflict.column('uuid').doNothing()))
      // SQLite says the id of a new row by itself, in less time.
      .$if(table === 'vcon' && this.engine === 'postgres', (insert) => insert.returning(['id', 'uuid']))
      .compile();
    this.#compiled.set(key, query);
    return query;
  }
}
