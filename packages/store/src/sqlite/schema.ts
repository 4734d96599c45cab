// Brings a SQLite file up to date: under SQLite's own write lock, after a copy of the file as it was.
import { type DatabaseSyncInstance, backup } from '@photostructure/sqlite';
import { type Kysely, sql } from 'kysely';
import { pending, takeSteps } from '../migrate.ts';
import type { Migration } from '../store.ts';
import { kyselyOn } from './dialect.ts';
import { createOutbox } from './outbox.ts';

export async function migrate(
  file: string,
  database: DatabaseSyncInstance,
  migrations: readonly Migration[],
  now: Date,
): Promise<void> {
  const db = kyselyOn<unknown>(database);
  const behind = await stepsBehind(db, migrations, file);
  if (behind.length === 0 && (await hasTable(db, 'outbox'))) return;
  // A file that has been in use is copied first; SQLite's own copy takes the log into account.
  const isUsed = await hasTable(db, 'migration');
  if (isUsed) await backup(database, `${file}.before-${behind[0]?.name ?? 'upgrade'}`);
  await db.transaction().execute(async (transaction) => {
    await prepare(transaction);
    // Another process may have been here between the look and the lock.
    const steps = pending({ applied: await applied(transaction) }, migrations, file);
    const first = migrations.length - steps.length;
    let taken = 0;
    const change = {
      engine: 'sqlite' as const,
      run: async (statement: string) => void (await sql.raw(statement).execute(transaction)),
    };
    await takeSteps(steps, change, async (name) => {
      await sql`insert into migration values (${first + taken}, ${name}, ${now.toISOString()})`.execute(transaction);
      taken += 1;
    });
  });
}

async function prepare(transaction: Kysely<unknown>): Promise<void> {
  await sql`create table if not exists migration (step integer primary key, name text not null, at text not null)`.execute(
    transaction,
  );
  await sql.raw(createOutbox).execute(transaction);
}

async function stepsBehind(
  db: Kysely<unknown>,
  migrations: readonly Migration[],
  file: string,
): Promise<readonly Migration[]> {
  return pending({ applied: (await hasTable(db, 'migration')) ? await applied(db) : [] }, migrations, file);
}

async function applied(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migration order by step`.execute(db);
  return rows.map(({ name }) => name);
}

async function hasTable(db: Kysely<unknown>, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`.execute(db);
  return rows.length > 0;
}
