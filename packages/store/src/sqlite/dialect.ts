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
import type { Patience } from './patience.ts';
import { StatementCache } from './statement-cache.ts';

export interface DialectOptions {
  patience: Patience;
  /** How transactions begin. One that becomes a writing one later fails with BUSY whatever the timeout. */
  begin: 'begin' | 'begin immediate';
}

export function kyselyOn<Tables>(database: DatabaseSyncInstance, options: DialectOptions): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(database, options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return new Kysely<Tables>({ dialect });
}

/** One connection; a transaction has it until its end, and other queries wait in a queue. */
class SqliteDriver implements Driver {
  readonly #database: DatabaseSyncInstance;
  readonly #connection: SqliteConnection;
  readonly #begin: string;
  #lastInLine: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  constructor(database: DatabaseSyncInstance, { patience, begin }: DialectOptions) {
    this.#database = database;
    this.#connection = new SqliteConnection(database, patience);
    this.#begin = begin;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#lastInLine;
    let release = () => {};
    this.#lastInLine = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
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
    if (this.#database.isOpen && this.#database.isTransaction) {
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    }
  }

  /** The connection is closed by its owner. */
  async destroy(): Promise<void> {}
}

class SqliteConnection implements DatabaseConnection {
  readonly #patience: Patience;
  readonly #statements: StatementCache;

  constructor(database: DatabaseSyncInstance, patience: Patience) {
    this.#patience = patience;
    this.#statements = new StatementCache(database);
  }

  executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#patience.until(() => {
      const { statement, returnsRows } = this.#statements.get(sql);
      if (returnsRows) return { rows: statement.all(...parameters) };
      const { changes, lastInsertRowid } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    });
  }

  // oxlint-disable-next-line require-yield -- a cursor held open while others commit would grow the WAL
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new TypeError('Read in pages: a SQLite cursor that stays open keeps the log from being cleared.');
  }
}
