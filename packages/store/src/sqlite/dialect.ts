// Kysely on a synchronous SQLite connection that is already open.
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { Serial } from '@tidings/live/time';
import type { BusyRetry } from './busy-retry.ts';
import { type Prepared, StatementCache } from './statement-cache.ts';

/** How transactions begin. One that becomes a writing one later fails with BUSY whatever the timeout. */
type Begin = 'begin' | 'begin immediate';

export function kyselyOn<Tables>(connection: SqliteConnection, begin: Begin): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(connection, begin),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return new Kysely<Tables>({ dialect });
}

/** One connection; a transaction has it until its end, and other queries wait in a queue. */
class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #begin: string;
  readonly #line = new Serial();
  #release: () => void = () => undefined;

  constructor(connection: SqliteConnection, begin: Begin) {
    this.#connection = connection;
    this.#begin = begin;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#release = await this.#line.acquire();
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#begin));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // On a full disk SQLite has rolled back already; an error about that would hide the cause.
    if (this.#connection.isInTransaction) {
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    }
  }

  /** The connection is closed by its owner. */
  async destroy(): Promise<void> {}
}

export class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSyncInstance;
  readonly #busyRetry: BusyRetry;
  readonly #statements: StatementCache;

  constructor(database: DatabaseSyncInstance, busyRetry: BusyRetry) {
    this.#database = database;
    this.#busyRetry = busyRetry;
    this.#statements = new StatementCache(database);
  }

  get isInTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction;
  }

  executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#busyRetry.until(() => resultOf(this.#statements.get(sql), parameters));
  }

  /** Once for each list of parameters, without the promises that a query by itself takes. */
  async runEach<Row>(
    { sql }: CompiledQuery<Row>,
    parameters: readonly (readonly unknown[])[],
  ): Promise<QueryResult<Row>[]> {
    const results: QueryResult<Row>[] = [];
    // After a wait it goes on with the one that found the database locked.
    await this.#busyRetry.until(() => {
      const prepared = this.#statements.get(sql);
      for (const each of parameters.slice(results.length)) results.push(resultOf(prepared, each));
    });
    return results;
  }

  // oxlint-disable-next-line require-yield -- a cursor held open while others commit would grow the WAL
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new TypeError('Read in pages: a SQLite cursor that stays open keeps the log from being cleared.');
  }
}

function resultOf<Row>({ statement, returnsRows }: Prepared, parameters: readonly unknown[]): QueryResult<Row> {
  if (returnsRows) return { rows: statement.all(...parameters) };
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}
