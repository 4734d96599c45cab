// A table of PostgreSQL, shared by every hub on that database. The oldest rows are removed.
import type { Clock, Log } from '@tidings/live';
import { type Generated, type Migration, type Store, openStore } from '@tidings/store';
import {
  type AuditQuery,
  type AuditRecord,
  type AuditTrail,
  auditFilter,
  byTime,
  parseRecord,
  startOfGrants,
} from './audit-log.ts';
import type { AuditSink } from './buffered-audit-log.ts';

interface AuditTables {
  /** PostgreSQL's driver returns large numbers as text. */
  record: { id: Generated<string>; at: string; who: string; json: string };
}

const migrations: readonly Migration[] = [
  {
    name: 'audit',
    up: async ({ run }) => {
      await run(
        'create table record (id bigint generated always as identity primary key, at text not null, who text not null, json text not null)',
      );
      await run('create index record_at on record (at)');
    },
  },
];

const rowsPerStatement = 500;
const pruneEvery = 50;
const rowsPerPage = 2000;

interface PostgresAuditOptions {
  url: string;
  clock: Clock;
  log: Log;
}

function openAuditStore({ url, clock, log }: PostgresAuditOptions): Promise<Store<AuditTables>> {
  return openStore<AuditTables>(url, { name: 'audit', migrations, clock, log });
}

export class PostgresAuditSink implements AuditSink {
  readonly #store: Store<AuditTables>;
  readonly #rows: () => number;
  readonly #log: Log;
  #batches = 0;

  private constructor(store: Store<AuditTables>, rows: () => number, log: Log) {
    this.#store = store;
    this.#rows = rows;
    this.#log = log;
  }

  /** `rows`: how many are kept. */
  static async open(options: PostgresAuditOptions, rows: () => number): Promise<PostgresAuditSink> {
    return new PostgresAuditSink(await openAuditStore(options), rows, options.log);
  }

  async append(records: readonly AuditRecord[]): Promise<void> {
    await this.#store.write(async ({ db }) => {
      for (let start = 0; start < records.length; start += rowsPerStatement) {
        const part = records.slice(start, start + rowsPerStatement);
        const rows = part.map((record) => ({ at: record.time, who: record.who, json: JSON.stringify(record) }));
        await db.insertInto('record').values(rows).execute();
      }
    });
    this.#batches += 1;
    // The records are stored: if this fails they must not be passed again, and it is tried again soon.
    if (this.#batches % pruneEvery === 1) await this.#prune().catch((error: unknown) => this.#notPruned(error));
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  #notPruned(error: unknown): void {
    this.#batches -= 1;
    this.#log.warn({ err: error }, 'Old records of the audit log could not be removed; trying again.');
  }

  async #prune(): Promise<void> {
    const newest = await this.#store.db
      .selectFrom('record')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst();
    const last = Number(newest?.id ?? 0) - this.#rows();
    if (last > 0)
      await this.#store.write(({ db }) => db.deleteFrom('record').where('id', '<=', String(last)).execute());
  }
}

export class PostgresAuditTrail implements AuditTrail {
  readonly #store: Store<AuditTables>;

  private constructor(store: Store<AuditTables>) {
    this.#store = store;
  }

  static async open(options: PostgresAuditOptions): Promise<PostgresAuditTrail> {
    return new PostgresAuditTrail(await openAuditStore(options));
  }

  /** From the newest backwards, page by page, until the limit is reached. */
  async read(query: AuditQuery): Promise<AuditRecord[]> {
    const found: AuditRecord[] = [];
    const matches = auditFilter(query);
    let before = String(Number.MAX_SAFE_INTEGER);
    while (found.length < query.limit) {
      let select = this.#store.db.selectFrom('record').select(['id', 'json']).where('id', '<', before);
      const { who } = query;
      if (who !== undefined) {
        select = select.where((sql) =>
          sql.or([sql('who', '=', who), sql.fn<boolean>('starts_with', ['who', sql.val(startOfGrants(who))])]),
        );
      }
      if (query.since !== undefined) select = select.where('at', '>=', query.since.toISOString());
      const rows = await select.orderBy('id', 'desc').limit(rowsPerPage).execute();
      for (const { json } of rows) {
        const record = parseRecord(json);
        if (record !== undefined && matches(record)) found.push(record);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsPerPage) break;
      before = last.id;
    }
    return byTime(found.slice(0, query.limit).toReversed());
  }

  async close(): Promise<void> {
    await this.#store.close();
  }
}
