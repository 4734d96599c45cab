// A store in one schema of a PostgreSQL database that many nodes may share.
import { type Clock, type Log, systemClock } from '@tidings/live';
import { Kysely, PostgresDialect, type Transaction, sql } from 'kysely';
import { Pool } from 'pg';
import type { Store, StoreOptions, Writing } from '../store.ts';
import { explained } from './explain.ts';
import { Listener } from './listener.ts';
import { PostgresOutbox } from './outbox.ts';
import { migrate } from './schema.ts';

export interface PostgresOptions extends StoreOptions {
  url: string;
  log: Log;
  clock?: Clock;
}

const clearEvery = 256;
const timeouts = { connectionTimeoutMillis: 5000, query_timeout: 30_000 };

export async function openPostgresStore<Tables>(options: PostgresOptions): Promise<Store<Tables>> {
  const { url, name, migrations, keepChanges = 10_000, log, clock = systemClock } = options;
  const schema = `tidings_${name}`;
  const config = { connectionString: url, options: `-c search_path=${schema}`, keepAlive: true, ...timeouts };
  const pool = new Pool(config);
  // A connection that breaks while it rests would otherwise end the process.
  pool.on('error', (error) => log.warn({ error }, 'A resting connection to PostgreSQL broke.'));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const channel = `${schema}_outbox`;
  let commits = 0;
  let isNotifying = false;

  const withOutbox = async <T>(
    transaction: Transaction<Tables>,
    work: (transaction: Writing<Tables>) => Promise<T>,
  ): Promise<T> => {
    const topics = new Set<string>();
    const result = await work({ db: transaction, announce: (...more) => more.forEach((topic) => topics.add(topic)) });
    if (topics.size > 0) {
      await sql`insert into outbox (topics) values (${JSON.stringify([...topics])})`.execute(transaction);
    }
    return result;
  };

  const write = async <T>(work: (transaction: Writing<Tables>) => Promise<T>): Promise<T> => {
    const result = await explaining(() => db.transaction().execute((transaction) => withOutbox(transaction, work)));
    commits += 1;
    if (commits % clearEvery === 0) void clear();
    await outbox.look();
    notify();
    return result;
  };

  /** Outside the transaction, and once for all that committed meanwhile: inside, it would halve the commits. */
  const notify = () => {
    if (isNotifying) return;
    isNotifying = true;
    clock.defer(() => {
      isNotifying = false;
      // Others look once a second anyway.
      pool.query(`notify "${channel}"`).catch(() => undefined);
    });
  };

  const clear = () =>
    sql`with cleared as (
        delete from outbox where seq <= (select max(seq) from outbox) - ${keepChanges} returning xid),
      newest as (select xid from cleared order by xid desc limit 1)
      insert into outbox_cleared (xid) select xid from newest
      on conflict (only_row) do update set xid = greatest(outbox_cleared.xid, excluded.xid)`
      .execute(db)
      .catch((error: unknown) => log.warn({ error }, 'The outbox could not be cleared.'));

  const outbox = new PostgresOutbox(pool, clock, log, (topics) => {
    write(async ({ announce }) => announce(...topics)).catch((error: unknown) =>
      log.error({ error, topics }, 'An announcement could not be written.'),
    );
  });
  const listener = new Listener(config, channel, clock, () => void outbox.look());

  await explaining(async () => {
    await migrate(db, schema, migrations);
    await outbox.open();
    await listener.open();
  });

  return {
    engine: 'postgres',
    db,
    feed: outbox,
    write,
    close: async () => {
      outbox.close();
      await listener.close();
      if (!pool.ended) await db.destroy();
    },
  };
}

async function explaining<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(error);
  }
}
