// An insert of rows, however many, in few parts. Each part is compiled once, since building a statement takes longer
// than running it.
import { type CompiledQuery, type QueryResult, type RawBuilder, sql } from 'kysely';
import type { Store, Writing } from './store.ts';

/** Rows of one part. On SQLite a statement for many rows takes longer than one for each of them. */
const mostRows: Readonly<Record<Store<unknown>['engine'], number>> = { sqlite: 1, postgres: 50 };

interface RowStatementOptions<Tables, Table extends keyof Tables & string> {
  into: Table;
  columns: readonly (keyof Tables[Table] & string)[];
  /** The clause after the rows, such as `on conflict do nothing`. */
  ending?: RawBuilder<unknown>;
}

/**
 * @example
 * const notes = new RowStatement(store, { into: 'note', columns: ['id', 'text'] });
 * await store.write((writing) => notes.run(writing, [[1, 'first'], [2, 'second']]));
 */
export class RowStatement<Tables, Table extends keyof Tables & string, Row = unknown> {
  readonly #store: Pick<Store<Tables>, 'db' | 'engine'>;
  readonly #options: RowStatementOptions<Tables, Table>;
  /** By the number of rows. */
  readonly #compiled = new Map<number, CompiledQuery<Row>>();

  constructor(store: Pick<Store<Tables>, 'db' | 'engine'>, options: RowStatementOptions<Tables, Table>) {
    this.#store = store;
    this.#options = options;
  }

  /** Each row has its values in the order of the columns. Resolves with one result per part, on SQLite one per row. */
  async run({ runEach }: Pick<Writing<Tables>, 'runEach'>, rows: readonly unknown[][]): Promise<QueryResult<Row>[]> {
    const most = mostRows[this.#store.engine];
    if (most === 1) return rows.length === 0 ? [] : runEach(this.#statement(1), rows);
    const results: QueryResult<Row>[] = [];
    for (let start = 0; start < rows.length; start += most) {
      const part = rows.slice(start, start + most);
      results.push(...(await runEach(this.#statement(part.length), [part.flat()])));
    }
    return results;
  }

  #statement(rows: number): CompiledQuery<Row> {
    const statement = this.#compiled.get(rows) ?? this.#compile(rows);
    this.#compiled.set(rows, statement);
    return statement;
  }

  #compile(rows: number): CompiledQuery<Row> {
    const { into, columns, ending = sql`` } = this.#options;
    const row = sql`(${sql.join(columns.map(() => sql.val('')))})`;
    const values = sql.join(Array.from({ length: rows }, () => row));
    const names = sql.join(columns.map((column) => sql.ref(column)));
    return sql<Row>`insert into ${sql.table(into)} (${names}) values ${values} ${ending}`.compile(this.#store.db);
  }
}
