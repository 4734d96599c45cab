// Brings a PostgreSQL schema up to date, under an advisory lock that all processes share.
import { type Kysely, sql } from 'kysely';
import { pending, takeSteps } from '../migrate.ts';
import type { Migration } from '../store.ts';
import { createOutbox } from './outbox.ts';

const createMigration = `
  create table if not exists migration (
    step integer primary key, name text not null, at timestamptz not null default now())`;

export async function migrate<Tables>(
  db: Kysely<Tables>,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const run = async (statement: string) => void (await sql.raw(statement).execute(transaction));
    await sql`select pg_advisory_xact_lock(hashtext(${`tidings ${schema}`}))`.execute(transaction);
    await sql`create schema if not exists ${sql.id(schema)}`.execute(transaction);
    for (const statement of [createMigration, ...createOutbox]) await run(statement);
    const { rows } = await sql<{ name: string }>`select name from migration order by step`.execute(transaction);
    const applied = rows.map(({ name }) => name);
    const steps = pending({ applied }, migrations, `PostgreSQL schema ${schema}`);
    await takeSteps(steps, { engine: 'postgres', run }, async (name) => {
      const step = applied.push(name) - 1;
      await sql`insert into migration (step, name) values (${step}, ${name})`.execute(transaction);
    });
  });
}
