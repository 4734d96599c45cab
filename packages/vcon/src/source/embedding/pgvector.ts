// The PostgreSQL extension that compares vectors, if available.
import { type RawBuilder, sql } from 'kysely';
import type { VconStore } from '../tables.ts';

/** The schema of the extension, which is created if the user may do so. */
export async function pgvectorSchema(store: VconStore): Promise<string | undefined> {
  const there = await schemaOf(store);
  if (there !== undefined) return there;
  const { rows } = await sql`select 1 from pg_available_extensions where name = 'vector'`.execute(store.db);
  if (rows.length === 0) return undefined;
  // Without the permission, or if another process was first, the query after this shows whether it exists.
  await run(store, sql`create extension if not exists vector`).catch(() => undefined);
  return schemaOf(store);
}

async function schemaOf({ db }: VconStore): Promise<string | undefined> {
  const { rows } = await sql<{ nspname: string }>`
    select nspname from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'vector'`.execute(db);
  return rows[0]?.nspname;
}

function run(store: VconStore, statement: RawBuilder<unknown>): Promise<unknown> {
  return store.write(({ db }) => statement.execute(db));
}
