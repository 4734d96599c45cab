// A store in one schema of a PostgreSQL database that many nodes may share.
import { type Clock, type Log, systemClock } from '@tidings/live';
import { type CompiledQuery, type Kysely, type QueryResult, type Transaction, sql } from 'kysely';
import { Pool, type PoolConfig } from 'pg';
import { Gate } from '../gate.ts';
import { type Work, runWork } from '../run-work.ts';
import { WriteScope } from '../write-scope.ts';
import type { Store, StoreOptions } from '../store.ts';
import { BusWake } from './bus-wake.ts';
import { kyselyOn } from './dialect.ts';
import { explained, isCollision, notAUrl } from './explain.ts';
import { FeedConnection } from './feed-connection.ts';
import { PostgresOutbox } from './outbox.ts';
import { migrate } from './schema.ts';

interface PostgresOptions extends StoreOptions {
  url: string;
  log: Log;
  clock?: Clock;
}

/** How many writes pass between two clearings of the outbox. */
const clearEvery = 256;
/** How often a transaction that conflicts with others is tried. */
const attempts = 5;
/** The server gives up a statement first, and frees what it holds; the client, if there is no answer at all. */
const statementMs = 30_000;
const answerMs = 35_000;
/** A process that was frozen in a transaction must not keep its locks from the others. */
const idleMs = 5000;

export async function openPostgresStore<Tables>(options: PostgresOptions): Promise<Store<Tables>> {
  const { url, name, migrations, clock = systemClock } = options;
  const target = { server: serverOf(url), schema: `tidings_${name}` };
  const config = (...settings: string[]) => ({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    options: [`search_path=${target.schema}`, ...settings].map((setting) => `-c ${setting}`).join(' '),
  });
  // No limit of time: a step may change a large table, and another node may have to wait for it.
  await migrateAt(target, config(), migrations, clock);
  const limits = [`statement_timeout=${statementMs}`, `idle_in_transaction_session_timeout=${idleMs}`];
  const pool = new Pool({ ...config(...limits), query_timeout: answerMs });
  // The feed's connection writes nothing but NOTIFY, which need not reach the disk.
  const feedConfig = config('synchronous_commit=off');
  const store = new PostgresStore<Tables>(pool, feedConfig, target, { ...options, clock });
  try {
    await store.open();
    return store;
  } catch (error) {
    await store.close();
    throw explained(error, target);
  }
}

interface DatabaseAddress {
  /** Its address, without a password. */
  server: string;
  schema: string;
}

class PostgresStore<Tables> implements Store<Tables> {
  readonly engine = 'postgres';
  readonly db: Kysely<Tables>;
  readonly feed: PostgresOutbox;
  readonly #connection: FeedConnection;
  readonly #gate = new Gate();
  readonly #log: Log;
  readonly #pool: Pool;
  readonly #keepChanges: number;
  readonly #scope = new WriteScope();
  readonly #bus: BusWake | undefined;
  #writes = 0;

  constructor(
    pool: Pool,
    feedConfig: PoolConfig,
    { server, schema }: DatabaseAddress,
    options: PostgresOptions & { clock: Clock },
  ) {
    const { clock, log, bus, keepChanges = 10_000 } = options;
    this.#pool = pool;
    this.#log = log;
    // The newest row is the position that readers continue from.
    this.#keepChanges = Math.max(1, keepChanges);
    // Only the message: the error object holds the connection, with its password.
    pool.on('error', ({ message }) => log.warn({ reason: message }, 'An idle connection to PostgreSQL was lost.'));
    this.db = kyselyOn<Tables>(pool, server, clock);
    const wake = () => void this.feed.deliverNew();
    this.#bus = bus && new BusWake(bus, schema, wake);
    this.#connection = new FeedConnection(feedConfig, bus ? undefined : `${schema}_outbox`, clock, wake);
    const announce = (topics: readonly string[]) => {
      this.#scope.assertOutside();
      return this.write(async ({ announce }) => announce(...topics));
    };
    this.feed = new PostgresOutbox({ connection: this.#connection, clock, log, bus: this.#bus, announce });
  }

  async open(): Promise<void> {
    await this.#connection.open();
    await this.feed.open();
  }

  readonly write = <T>(work: Work<Tables, T>): Promise<T> =>
    this.#gate.pass(async () => {
      const { result, topics } = await this.#commit(work);
      this.#connection.notify();
      this.#bus?.publish(topics);
      this.#writes += 1;
      if (this.#writes % clearEvery === 0) await this.#clear();
      await this.feed.deliverNew();
      return result;
    });

  async close(): Promise<void> {
    await this.#gate.close();
    this.feed.close();
    this.#bus?.close();
    await this.#connection.close();
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #commit<T>(work: Work<Tables, T>): Promise<{ result: T; topics: readonly string[] }> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        let announced: readonly string[] = [];
        const result = await this.#scope.run(() =>
          this.db.transaction().execute((transaction) =>
            runWork(
              {
                db: transaction,
                runEach: (query, parameters) => runOneByOne(transaction, query, parameters),
                publish: (topics) => {
                  announced = topics;
                  return publish(transaction, topics);
                },
              },
              work,
            ),
          ),
        );
        return { result, topics: announced };
      } catch (error) {
        if (!isCollision(error) || attempt === attempts) throw error;
      }
    }
  }

  async #clear(): Promise<void> {
    const clearing = sql`with cleared as (
        delete from outbox where seq <= (select max(seq) from outbox) - ${this.#keepChanges} returning xid),
      newest as (select xid from cleared order by xid desc limit 1)
      insert into outbox_cleared (xid) select xid from newest
      on conflict (only_row) do update set xid = greatest(outbox_cleared.xid, excluded.xid)`;
    try {
      await clearing.execute(this.db);
    } catch (error) {
      this.#log.warn({ err: error }, 'The outbox could not be cleared.');
    }
  }
}

/** JSON escapes the characters that a text column refuses. */
async function publish<Tables>(transaction: Transaction<Tables>, topics: readonly string[]): Promise<void> {
  await sql`insert into outbox (topics) values (${JSON.stringify(topics)})`.execute(transaction);
}

async function migrateAt(
  { server, schema }: DatabaseAddress,
  config: PoolConfig,
  migrations: StoreOptions['migrations'],
  clock: Clock,
) {
  const pool = new Pool({ ...config, max: 1 });
  pool.on('error', () => undefined);
  try {
    await migrate(kyselyOn<unknown>(pool, server, clock), schema, migrations);
  } finally {
    await pool.end();
  }
}

function serverOf(url: string): string {
  try {
    const { host, pathname } = new URL(decodeURI(url));
    return `${host}${pathname}`;
  } catch {
    throw notAUrl();
  }
}

async function runOneByOne<Tables, Row>(
  db: Transaction<Tables>,
  query: CompiledQuery<Row>,
  parameters: readonly (readonly unknown[])[],
): Promise<QueryResult<Row>[]> {
  const results: QueryResult<Row>[] = [];
  for (const each of parameters) results.push(await db.executeQuery<Row>({ ...query, parameters: each }));
  return results;
}
