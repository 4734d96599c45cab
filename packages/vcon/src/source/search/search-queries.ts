// The queries of searches: first for matches, then for the columns to show.
import { Turns } from '@tidings/live/time';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type DocumentColumns, documentColumns } from '../row.ts';
import type { VconEngine, VconTables, VconRow, VconStore } from '../tables.ts';
import { conditions, wordQuery } from './conditions.ts';
import type { Criteria, WordCriteria } from './criteria.ts';
import { type After, type Order, isAfter, orderKey, orderBy } from './order.ts';

type Shown = Pick<VconRow, 'uuid' | 'created' | 'created_at' | 'subject' | 'form'>;
type Text = (typeof documentColumns)[number];

/** Columns that were not asked for, and those past the budget, are null. */
export type Hit = Shown & { [column in Text]: string | null } & {
  sort_key: string;
  score: number | null;
  /** The tags as a JSON object. */
  tags: string | null;
  /** Whether the document is within the budget. */
  held: number;
};

/** When vCons were created: first and last moment. */
export type TimeSpan = Pick<Criteria, 'from' | 'to'>;

/** A vCon without its content. */
export type Scanned = Pick<VconRow, 'id' | 'uuid' | 'created' | 'digest' | 'size'>;
export type StoredDocument = Pick<VconRow, 'id' | 'uuid' | 'form'> & DocumentColumns;

export interface HitRequest {
  count: number;
  columns: readonly Text[];
}

/** The characters of documents to read per query. The first document is read whatever its size. */
const budget = 8_000_000;

export class SearchQueries {
  readonly engine: VconEngine;
  readonly #db: Kysely<VconTables>;
  readonly #turns = new Turns();

  constructor({ db, engine }: VconStore) {
    this.#db = db;
    this.engine = engine;
  }

  /** SQLite runs in this process: without turns, a hundred searches would block it for the sum of their queries. */
  inTurn<T>(query: () => Promise<T>): Promise<T> {
    return this.engine === 'sqlite' ? this.#turns.take(query) : query();
  }

  async matching(criteria: Criteria, order: Order, after: After | undefined, asked: HitRequest): Promise<Hit[]> {
    const all = conditions(criteria, this.engine);
    if (after !== undefined) all.push(isAfter(order, after, this.engine));
    const where = whereAll(all);
    const key = orderKey(order, this.engine);
    const direction = sql.raw(order.direction);
    return this.#hits(
      sql`select id, size, ${key} as sort_key, null as score, created, uuid from vcon ${where}
        order by ${orderBy(order, this.engine)} limit ${asked.count}`,
      sql`sort_key ${direction}, created ${direction}, uuid ${direction}`,
      asked,
    );
  }

  /** vCons by time of creation only. */
  async scan({ from, to }: TimeSpan, order: Order, after: After | undefined, count: number): Promise<Scanned[]> {
    const all = conditions({ from, to }, this.engine);
    if (after !== undefined) all.push(isAfter(order, after, this.engine));
    const query = sql<Scanned>`select id, uuid, created, digest, size from vcon ${whereAll(all)}
      order by ${orderBy(order, this.engine)} limit ${count}`;
    return (await query.execute(this.#db)).rows;
  }

  async documents(ids: readonly number[]): Promise<StoredDocument[]> {
    if (ids.length === 0) return [];
    return this.#db
      .selectFrom('vcon')
      .select(['id', 'uuid', 'form', ...documentColumns])
      .where('id', 'in', ids)
      .execute();
  }

  async count(criteria: Criteria): Promise<number> {
    const where = whereAll(conditions(criteria, this.engine));
    const query = sql<{ total: number | string }>`select count(*) as total from vcon ${where}`;
    const { rows } = await this.inTurn(() => query.execute(this.#db));
    return Number(rows[0]?.total ?? 0);
  }

  /** The best first. */
  async matchingBest({ words, ...others }: WordCriteria, offset: number, asked: HitRequest): Promise<Hit[]> {
    const question = wordQuery(words, this.engine);
    const matching =
      this.engine === 'sqlite'
        ? sql`select rowid as best_id, -bm25(vcon_words) as score from vcon_words where vcon_words match ${question}`
        : sql`select rowid as best_id, ts_rank(words, ${question}::tsquery)::double precision as score from vcon_words
            where words @@ ${question}::tsquery`;
    return this.#best(matching, others, offset, asked);
  }

  /** `near` selects best_id and score. */
  async nearest(near: RawBuilder<unknown>, criteria: Criteria, offset: number, asked: HitRequest): Promise<Hit[]> {
    return this.#best(near, criteria, offset, asked);
  }

  #best(scored: RawBuilder<unknown>, criteria: Criteria, offset: number, asked: HitRequest): Promise<Hit[]> {
    const others = conditions(criteria, this.engine);
    const page = sql`limit ${asked.count} offset ${offset}`;
    // Without other conditions, only the rows of the page are joined.
    const best =
      others.length === 0
        ? sql`(${scored} order by score desc, best_id desc ${page}) as best join vcon on vcon.id = best_id`
        : sql`(${scored}) as best join vcon on vcon.id = best_id ${whereAll(others)} order by score desc, id desc ${page}`;
    return this.#hits(sql`select id, size, '' as sort_key, score from ${best}`, sql`score desc, id desc`, asked);
  }

  async #hits(found: RawBuilder<unknown>, order: RawBuilder<unknown>, { columns }: HitRequest): Promise<Hit[]> {
    const texts = documentColumns.map((column) =>
      columns.includes(column)
        ? sql`case when reached - sized.size <= ${budget} then ${sql.ref(`vcon.${column}`)} end as ${sql.ref(column)}`
        : sql`null as ${sql.ref(column)}`,
    );
    const tags = this.engine === 'sqlite' ? sql`json_group_object(key, value)` : sql`json_object_agg(key, value)::text`;
    const query = sql<Hit>`
      with found as (${found}),
      sized as (
        select found.*, row_number() over (order by ${order}) as place,
          sum(size) over (order by ${order} rows between unbounded preceding and current row) as reached
        from found)
      select vcon.uuid, vcon.created, vcon.created_at, vcon.subject, vcon.form, sort_key, score,
        (select ${tags} from tag where vcon_id = vcon.id) as tags,
        case when reached - sized.size <= ${budget} then 1 else 0 end as held,
        ${sql.join(texts)}
      from sized join vcon on vcon.id = sized.id order by place`;
    return (await this.inTurn(() => query.execute(this.#db))).rows;
  }
}

function whereAll(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
}
