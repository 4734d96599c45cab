// Brings a PostgreSQL schema up to date, under an advisory lock that all processes share.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { pending, takeSteps } from '../migrate.ts';
import type { Migration } from '../store.ts';
import { createOutbox } from './outbox.ts';

const createMigration =
  'create table migration (step integer primary key, name text not null, at timestamptz not null default now())';

export async function migrate(db: Kysely<unknown>, schema: string, migrations: readonly Migration[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const run = async (statement: string) => void (await sql.raw(statement).execute(transaction));
    await sql`select pg_advisory_xact_lock(hashtext(${`tidings ${schema}`}))`.execute(transaction);
    // "If not exists" would be simpler, but takes locks that wait for every transaction under way.
    if (!(await isThere(transaction, sql`to_regnamespace(${sql.lit(schema)})`))) await run(`create schema "${schema}"`);
    if (!(await isThere(transaction, sql`to_regclass('migration')`))) await run(createMigration);
    if (!(await isThere(transaction, sql`to_regclass('outbox')`))) for (const each of createOutbox) await run(each);
    const { rows } = await sql<{ name: string }>`select name from migration order by step`.execute(transaction);
    const applied = rows.map(({ name }) => name);
    const steps = pending({ applied }, migrations, `PostgreSQL schema ${schema}`);
    await takeSteps(steps, { engine: 'postgres', run }, async (name) => {
      const step = applied.push(name) - 1;
      await sql`insert into migration (step, name) values (${step}, ${name})`.execute(transaction);
    });
  });
}

async function isThere(db: Kysely<unknown>, lookup: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select ${lookup} is not null as there`.execute(db);
  return rows[0]?.there === true;
}
