// Kysely on a pool of PostgreSQL connections that survives an unreachable server: errors get messages for the
// operator, the first error of a transaction is reported, and a broken connection is not used again.
import type { Pool, PoolClient } from 'pg';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Clock } from '@tidings/live';
import { storeClosed } from '../gate.ts';
import { ConnectionQueue } from './connection-queue.ts';
import { explained, isAway, connectionsBusy } from './explain.ts';
import { IdleClients } from './idle-clients.ts';

export function kyselyOn<Tables>(pool: Pool, server: string, clock: Clock): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(pool, server, clock),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return new Kysely<Tables>({ dialect });
}

class PostgresDriver implements Driver {
  readonly #pool: Pool;
  readonly #server: string;
  readonly #idle: IdleClients;
  readonly #queue: ConnectionQueue;

  constructor(pool: Pool, server: string, clock: Clock) {
    this.#pool = pool;
    this.#server = server;
    this.#idle = new IdleClients(clock);
    this.#queue = new ConnectionQueue(pool.options.max, clock, () => connectionsBusy(server));
    // A connection that breaks between two queries would otherwise end the process.
    pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    await this.#queue.enter();
    try {
      if (this.#pool.ending) throw storeClosed();
      for (;;) {
        const client = await this.#pool.connect();
        if (await this.#idle.isAlive(client)) return new PostgresConnection(client, this.#server);
        client.release(true);
      }
    } catch (error) {
      const failure = explained(error, { server: this.#server });
      this.#queue.leave(failure);
      throw failure;
    }
  }

  async beginTransaction(connection: PostgresConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'), true);
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    // If this fails, an earlier statement failed too, and the caller should get that error.
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => connection.abandon());
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    this.#idle.released(connection.client);
    connection.release();
    this.#queue.leave();
  }

  /** The pool is ended by its owner. */
  async destroy(): Promise<void> {}
}

class PostgresConnection implements DatabaseConnection {
  readonly client: PoolClient;
  readonly #server: string;
  #isBroken = false;

  constructor(client: PoolClient, server: string) {
    this.client = client;
    this.#server = server;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery, isCommitting = false): Promise<QueryResult<Row>> {
    try {
      const { command, rowCount, rows } = await this.client.query(sql, [...parameters]);
      const isChange = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command);
      return isChange ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
    } catch (error) {
      if (isAway(error)) this.abandon();
      throw explained(error, { server: this.#server, isCommitting });
    }
  }

  // oxlint-disable-next-line require-yield -- not supported, as on SQLite
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new TypeError('Read in pages: a store does not stream rows.');
  }

  /** The response to a query that timed out may still arrive, and would be taken for the next query's response. */
  abandon(): void {
    this.#isBroken = true;
  }

  release(): void {
    this.client.release(this.#isBroken);
  }
}
