// A store in one SQLite file of a data folder that several processes may share.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { type Clock, type Log, systemClock } from '@tidings/live';
import { type Transaction, sql } from 'kysely';
import type { Store, StoreOptions, Writing } from '../store.ts';
import { connect } from './connection.ts';
import { kyselyOn } from './dialect.ts';
import { explained, unusable } from './explain.ts';
import { SqliteOutbox } from './outbox.ts';
import { Patience } from './patience.ts';
import { migrate } from './schema.ts';
import { Wake, databaseFile } from './wake.ts';

export interface SqliteOptions extends StoreOptions {
  folder: string;
  log: Log;
  clock?: Clock;
}

/** How many commits pass between two clearings of the outbox. */
const clearEvery = 256;

export async function openSqliteStore<Tables>(options: SqliteOptions): Promise<Store<Tables>> {
  const { folder, name, migrations, keepChanges = 10_000, log, clock = systemClock } = options;
  const file = databaseFile(folder, name);
  makeFolder(folder);
  const patience = new Patience(clock);
  const explain = (error: unknown) => explained(file, error);
  const [reader, writer] = await patience.until(async () => [connect(file), connect(file)], explain);
  await patience.until(() => migrate(file, writer, migrations, new Date(clock.date())), explain);
  const writing = kyselyOn<Tables>(writer);
  let commits = 0;

  const write = async <T>(work: (transaction: Writing<Tables>) => Promise<T>): Promise<T> => {
    const result = await patience.until(
      () => writing.transaction().execute((transaction) => withOutbox(transaction, work)),
      explain,
    );
    outbox.look();
    wake.touch();
    return result;
  };

  const withOutbox = async <T>(
    transaction: Transaction<Tables>,
    work: (transaction: Writing<Tables>) => Promise<T>,
  ): Promise<T> => {
    const topics = new Set<string>();
    const announce = (...more: string[]) => more.forEach((topic) => topics.add(topic));
    const result = await work({ db: transaction, announce });
    if (topics.size === 0) return result;
    await sql`insert into outbox (topics, at) values (${JSON.stringify([...topics])}, ${clock.date()})`.execute(
      transaction,
    );
    commits += 1;
    if (commits % clearEvery === 0) {
      await sql`delete from outbox where seq <= (select max(seq) from outbox) - ${keepChanges}`.execute(transaction);
    }
    return result;
  };

  const outbox = new SqliteOutbox(reader, (topics) => {
    write(async ({ announce }) => announce(...topics)).catch((error: unknown) =>
      log.error({ error, topics }, 'An announcement could not be written.'),
    );
  });
  const wake = new Wake(file, clock, outbox.look);

  return {
    engine: 'sqlite',
    db: kyselyOn<Tables>(reader),
    feed: outbox,
    write,
    close: async () => {
      wake.close();
      for (const database of [reader, writer]) if (database.isOpen) database.close();
    },
  };
}

/** A folder that cannot be written to would open, and fail at the first write. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw unusable(folder, error);
  }
}
