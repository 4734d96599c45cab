// Inserts new vCons and their index entries, many at a time.
import { RowStatement } from '@tidings/store';
import { sql } from 'kysely';
import type { NewVcon } from './new-vcon.ts';
import { rowColumns } from './row.ts';
import type { VconEngine, VconTables, VconStore, VconWriting } from './tables.ts';

const firstRevision = 1;

export class VconInserts {
  readonly engine: VconEngine;
  readonly #vcons: RowStatement<VconTables, 'vcon', { id: number; uuid: string }>;
  readonly #words: RowStatement<VconTables, 'vcon_words'>;
  readonly #tags: RowStatement<VconTables, 'tag'>;

  constructor(store: VconStore) {
    this.engine = store.engine;
    // SQLite reports the id of a new row itself, which is faster.
    const returning = store.engine === 'postgres' ? sql`returning id, uuid` : sql``;
    this.#vcons = new RowStatement(store, {
      into: 'vcon',
      columns: [...rowColumns, 'revision'],
      ending: sql`on conflict (uuid) do nothing ${returning}`,
    });
    this.#words = new RowStatement(store, { into: 'vcon_words', columns: ['rowid', 'words'] });
    this.#tags = new RowStatement(store, { into: 'tag', columns: ['vcon_id', 'key', 'value'] });
  }

  /** The ids of the inserted vCons, by uuid. Existing ones are skipped; of two with one uuid, the first is inserted. */
  async insert(writing: VconWriting, batch: readonly NewVcon[]): Promise<Map<string, number>> {
    const rows = batch.map(({ row }) => [...rowColumns.map((column) => row[column]), firstRevision]);
    const results = await this.#vcons.run(writing, rows);
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
    await this.#words.run(writing, words);
    await this.#tags.run(writing, tags);
  }
}
