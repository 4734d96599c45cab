// New vCons and what they are found by, many in one statement each. Statements are compiled once: building one takes
// longer than running it.
import type { CompiledQuery, Kysely } from 'kysely';
import type { Accepted } from '../model/accept.ts';
import { rowOf } from './row.ts';
import { type TagEntry, keptWords, tagEntries } from './search-index.ts';
import type { Engine, Tables, VconStore, VconWriting } from './tables.ts';

/** Rows of one statement: as many as fit of the first, then of the next, so that there are few different ones. */
const sizes = [20, 1];

export class VconInserts {
  readonly engine: Engine;
  readonly #db: Kysely<Tables>;
  readonly #compiled = new Map<string, { query: CompiledQuery; columns: readonly string[] }>();

  constructor({ db, engine }: VconStore) {
    this.#db = db;
    this.engine = engine;
  }

  /** The ids of those that were not there yet, by their uuid. Of two with one uuid the first counts. */
  async insert(writing: VconWriting, batch: readonly Accepted[]): Promise<Map<string, number>> {
    const ids = new Map<string, number>();
    for (const some of inParts(batch)) {
      const rows = some.map((accepted) => Object.assign(rowOf(accepted), { revision: 1 }));
      const inserted = await this.#run<{ id: number; uuid: string }>(writing, 'vcon', rows);
      for (const { id, uuid } of inserted) ids.set(uuid, id);
    }
    return ids;
  }

  async index(writing: VconWriting, entries: readonly { id: number; accepted: Accepted }[]): Promise<void> {
    const tags: TagEntry[] = [];
    for (const some of inParts(entries)) {
      const words = some.map(({ id, accepted }) => ({ rowid: id, words: keptWords(this.engine, accepted) }));
      await this.#run(writing, 'vcon_words', words);
      for (const { id, accepted } of some) tags.push(...tagEntries(id, accepted));
    }
    for (const some of inParts(tags)) await this.#run(writing, 'tag', some);
  }

  async #run<Result>({ db }: VconWriting, table: keyof Tables, rows: readonly object[]): Promise<Result[]> {
    const { query, columns } = this.#statement(table, rows);
    const parameters = rows.flatMap((row) => columns.map((column): unknown => Reflect.get(row, column)));
    return (await db.executeQuery<Result>({ ...query, parameters })).rows;
  }

  #statement(table: keyof Tables, rows: readonly object[]): { query: CompiledQuery; columns: readonly string[] } {
    const key = `${table}/${rows.length}`;
    const known = this.#compiled.get(key);
    if (known) return known;
    const columns = Object.keys(rows[0] ?? {});
    const inserting = this.#db.insertInto(table).values(rows.map((row) => ({ ...row })));
    const query =
      table === 'vcon'
        ? inserting
            .onConflict((conflict) => conflict.column('uuid').doNothing())
            .returning(['id', 'uuid'])
            .compile()
        : inserting.compile();
    const compiled = { query, columns };
    this.#compiled.set(key, compiled);
    return compiled;
  }
}

function* inParts<T>(items: readonly T[]): Iterable<readonly T[]> {
  let start = 0;
  for (const size of sizes) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  }
}
