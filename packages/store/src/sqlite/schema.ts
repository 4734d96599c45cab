// Brings a SQLite file up to date, under SQLite's own write lock, after copying the file.
import { renameSync, rmSync } from 'node:fs';
import { type DatabaseSyncInstance, backup } from '@photostructure/sqlite';
import { type Kysely, sql } from 'kysely';
import { pending, takeSteps } from '../migrate.ts';
import type { Migration } from '../store.ts';
import type { Connections } from './connection.ts';
import { create } from './data-file.ts';
import { SqliteConnection, kyselyOn } from './dialect.ts';
import { createOutbox } from './outbox.ts';
import type { BusyRetry } from './busy-retry.ts';

export interface Upgrade {
  file: string;
  migrations: readonly Migration[];
  busyRetry: BusyRetry;
  now: Date;
}

export async function migrate({ writing, reading }: Connections, upgrade: Upgrade): Promise<void> {
  const { file, migrations, busyRetry, now } = upgrade;
  const db = kyselyOn<unknown>(new SqliteConnection(writing, busyRetry), 'begin immediate');
  if (await isUpToDate(db, upgrade)) return;
  await db.transaction().execute(async (transaction) => {
    // Another process may have migrated it between the check and the lock.
    if (await isUpToDate(transaction, upgrade)) return;
    const steps = await stepsToTake(transaction, upgrade);
    if (await hasTable(transaction, 'migration')) await keepCopy(reading, file, steps[0]?.name ?? 'upgrade');
    // Not through a prepared statement, which would leave out all but the first of several.
    const run = (statements: string) => busyRetry.until(() => writing.exec(statements));
    await run(createMigration);
    await run(createOutbox);
    let step = migrations.length - steps.length;
    await takeSteps(steps, { engine: 'sqlite', run }, async (name) => {
      await sql`insert into migration values (${step}, ${name}, ${now.toISOString()})`.execute(transaction);
      step += 1;
    });
  });
}

const createMigration =
  'create table if not exists migration (step integer primary key, name text not null, at text not null)';

/** While the lock is held the file does not change, so another connection can copy it. */
async function keepCopy(database: DatabaseSyncInstance, file: string, step: string): Promise<void> {
  const copy = `${file}.before-${step.replaceAll(/[^\w.-]+/g, '-')}`;
  const partial = `${copy}.partial`;
  // Files that an interrupted start may have left.
  for (const path of [partial, `${partial}-journal`]) rmSync(path, { force: true });
  create(partial);
  try {
    await backup(database, partial);
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

async function isUpToDate(db: Kysely<unknown>, upgrade: Upgrade): Promise<boolean> {
  return (await stepsToTake(db, upgrade)).length === 0 && (await hasTable(db, 'outbox'));
}

async function stepsToTake(db: Kysely<unknown>, { file, migrations }: Upgrade): Promise<readonly Migration[]> {
  return pending({ applied: await applied(db) }, migrations, file);
}

async function applied(db: Kysely<unknown>): Promise<string[]> {
  if (!(await hasTable(db, 'migration'))) return [];
  const { rows } = await sql<{ name: string }>`select name from migration order by step`.execute(db);
  return rows.map(({ name }) => name);
}

async function hasTable(db: Kysely<unknown>, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`.execute(db);
  return rows.length > 0;
}
