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

export function kyselyOn<Tables>(database: DatabaseSyncInstance): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return new Kysely<Tables>({ dialect });
}

/** One connection; whoever begins a transaction has it until the end. */
class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  #taken: Promise<void> | undefined;
  #release: () => void = () => undefined;

  constructor(database: DatabaseSyncInstance) {
    this.#connection = new SqliteConnection(database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    while (this.#taken) await this.#taken;
    this.#taken = new Promise((resolve) => {
      this.#release = resolve;
    });
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#taken = undefined;
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // A deferred transaction that turns into a writing one fails with BUSY whatever the timeout.
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  /** The connection is closed by whoever opened it. */
  async destroy(): Promise<void> {}
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSyncInstance;

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.#database.prepare(sql);
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // oxlint-disable-next-line require-yield -- a cursor held open while others commit would grow the WAL
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new TypeError('Read in pages: a SQLite cursor that stays open keeps the log from being cleared.');
  }
}
