import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@tidings/store';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLibrary } from './library.ts';
import { type VconTables, migrations } from './tables.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-tables-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

it('keeps vectors that were stored before vectors belonged to redactions', async () => {
  const old = await openStore<VconTables>(folder, { name: 'vcon', migrations: migrations.slice(0, 1) });
  await old.write(async ({ db }) => {
    await sql`insert into vcon (id, uuid, created, created_at, form, revision, digest, size, subject_key, party_key, head)
      values (1, '123e4567-e89b-12d3-a456-426614174000', 0, '""', 'unsigned', 1, 'x', 2, '', '', '{}')`.execute(db);
    await sql`insert into embedding (vcon_id, model, revision, vector) values (1, 'm', 1, x'00')`.execute(db);
  });
  await old.close();
  const library = await openLibrary(folder);
  const { db } = library.store;
  expect(await db.selectFrom('embedding').select(['vcon_id', 'redaction', 'model', 'revision']).execute()).toEqual([
    { vcon_id: 1, redaction: '', model: 'm', revision: 1 },
  ]);
  await library.remove('123e4567-e89b-12d3-a456-426614174000');
  expect(await db.selectFrom('embedding').selectAll().execute()).toEqual([]);
  await library.close();
});
