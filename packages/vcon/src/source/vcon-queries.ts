// The queries that read vCons, compiled once: one for each resource, for just the columns it shows.
import { type CompiledQuery, type Kysely, sql } from 'kysely';
import type { ArrayName } from '../model/vcon.ts';
import type { ListPosition } from './list-position.ts';
import { type DocumentColumns, documentColumns } from './row.ts';
import type { VconTables, VconRow } from './tables.ts';

export type Column = 'head' | ArrayName;
type VconColumn = Pick<VconRow, 'form'> & { piece: string | null };
export type ListedVcon = Pick<VconRow, 'uuid' | 'created' | 'created_at' | 'subject'>;
/** `reached`: the number of characters up to and including this row; rows past the budget have no content. */
type Sized = Pick<VconRow, 'form'> & DocumentColumns & { reached: number };

export class VconQueries {
  readonly #db: Kysely<VconTables>;
  readonly #whole: CompiledQuery<Pick<VconRow, 'form'> & DocumentColumns>;
  readonly #pieces: Record<Column, CompiledQuery<VconColumn>>;
  readonly #first: CompiledQuery<ListedVcon>;
  readonly #next: CompiledQuery<ListedVcon>;
  readonly #newest: CompiledQuery<Sized>;
  readonly #startingWith: CompiledQuery<Pick<VconRow, 'uuid'>>;

  constructor(db: Kysely<VconTables>) {
    this.#db = db;
    const one = db.selectFrom('vcon').where('uuid', '=', '');
    this.#whole = one.select(['form', ...documentColumns]).compile();
    const piece = (column: Column) => one.select(['form', `${column} as piece`]).compile();
    this.#pieces = {
      head: piece('head'),
      parties: piece('parties'),
      dialog: piece('dialog'),
      analysis: piece('analysis'),
      attachments: piece('attachments'),
    };
    this.#first = sql<ListedVcon>`select uuid, created, created_at, subject from vcon
      order by created desc, uuid desc limit ${0}`.compile(db);
    this.#next = sql<ListedVcon>`select uuid, created, created_at, subject from vcon
      where (created, uuid) < (${0}, ${''}) order by created desc, uuid desc limit ${0}`.compile(db);
    this.#newest = compileNewest(db);
    this.#startingWith = sql<Pick<VconRow, 'uuid'>>`select uuid from vcon
      where uuid >= ${''} and uuid < ${''} order by uuid limit ${0}`.compile(db);
  }

  async whole(uuid: string): Promise<(Pick<VconRow, 'form'> & DocumentColumns) | undefined> {
    return this.#row(this.#whole, [uuid]);
  }

  async piece(uuid: string, column: Column): Promise<VconColumn | undefined> {
    return this.#row(this.#pieces[column], [uuid]);
  }

  async listed(limit: number, after?: ListPosition): Promise<ListedVcon[]> {
    if (after === undefined) return this.#rows(this.#first, [limit]);
    return this.#rows(this.#next, [after.created, after.uuid, limit]);
  }

  async newest(limit: number, budget: number): Promise<Sized[]> {
    return this.#rows(this.#newest, [...documentColumns.map(() => budget), limit]);
  }

  async startingWith(prefix: string, limit: number): Promise<string[]> {
    // 'g' sorts after every hexadecimal digit.
    const rows = await this.#rows(this.#startingWith, [prefix, `${prefix}g`, limit]);
    return rows.map(({ uuid }) => uuid);
  }

  async #row<Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<Row | undefined> {
    return (await this.#rows(query, parameters))[0];
  }

  async #rows<Row>(query: CompiledQuery<Row>, parameters: readonly unknown[]): Promise<Row[]> {
    const { sql: text, query: node, queryId } = query;
    return (await this.#db.executeQuery<Row>({ sql: text, query: node, queryId, parameters })).rows;
  }
}

/** Does not read large documents that would be refused anyway. */
function compileNewest(db: Kysely<VconTables>): CompiledQuery<Sized> {
  const columns = documentColumns.map(
    (column) => sql`case when reached <= ${0} then vcon.${sql.ref(column)} end as ${sql.ref(column)}`,
  );
  return sql<Sized>`select form, reached, ${sql.join(columns)} from (
      select id as newest_id, sum(size) over (order by created desc, uuid desc) as reached from (
        select id, size, created, uuid from vcon order by created desc, uuid desc limit ${0}) as newest
    ) as sized join vcon on vcon.id = newest_id order by created desc, uuid desc`.compile(db);
}
