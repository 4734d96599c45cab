// Imports from the tables of vcon-mcp in PostgreSQL.
import { type ImportProgress, importVcons, supabaseSource } from '@tidings/vcon';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { exported, freshFolder, freshLibrary, uuidOf } from './import-fixture.ts';
import { type SchemaVersion, vconMcpTables } from './vcon-mcp-tables.ts';

const none = { created: 0, unchanged: 0, replaced: 0, conflicts: 0, bad: 0, warnings: 0 };

/** Options that stop an import once this many documents are written. */
function stopAfter(documents: number) {
  const controller = new AbortController();
  const onProgress = (progress: ImportProgress) => {
    if (progress.documents >= documents) controller.abort();
  };
  return { signal: controller.signal, onProgress, limits: { batchDocuments: 10 } };
}

async function filledDatabase(version: SchemaVersion, count: number): Promise<{ url: string; client: Client }> {
  const url = await freshDatabase();
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(vconMcpTables(version));
  await client.query(
    `insert into vcons (uuid, vcon_version, subject, created_at, updated_at)
     select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, '0.3.0', 'Call ' || n,
       timestamptz '2025-10-14T10:30:00.123456Z', timestamptz '2025-10-14T11:00:00Z' from generate_series(0, $1) as n`,
    [count - 1],
  );
  return { url, client };
}

const owner = { first: 'id', current: 'uuid' };

async function addParts(client: Client, version: SchemaVersion): Promise<void> {
  const id = `(select ${owner[version]} from vcons where uuid = '${uuidOf(3)}')`;
  const isCurrent = version === 'current';
  // There is no row for the second party.
  await client.query(`insert into parties (vcon_id, party_index, name, tel, civicaddress) values
    (${id}, 2, 'Bob', null, null), (${id}, 0, 'Ann', '+15550100199', '{"country": "DE"}')`);
  await client.query(`insert into dialog (id, vcon_id, dialog_index, type, start_time, duration_seconds, parties,
      originator, mediatype, body, encoding, size_bytes) values
    ('11111111-1111-4111-8111-111111111111', ${id}, 0, 'text', '2025-10-14T10:30:00Z', 12.5, '{0,2}', 0,
      'text/plain', 'Grüße „vom“ Band \\ 1', 'none', 20)`);
  await client.query(`insert into party_history (dialog_id, party_index, time, event) values
    ('11111111-1111-4111-8111-111111111111', 0, '2025-10-14T10:30:00Z', 'join')`);
  await client.query(`insert into analysis (vcon_id, analysis_index, type, dialog_indices, vendor, body, encoding,
      created_at) values (${id}, 0, 'summary', '{0}', 'Example', '{"text": "short"}', 'json', now())`);
  await client.query(`insert into attachments (vcon_id, attachment_index, type, mimetype, body, encoding) values
    (${id}, 0, 'tags', 'application/json', '["team:sales"]', 'json')`);
  if (isCurrent) {
    await client.query(`update vcons set critical = '{}', extensions = '{x}', amended = '{"uuid": "${uuidOf(1)}"}'
      where uuid = '${uuidOf(3)}'`);
    await client.query(`update dialog set session_id = '{"local": "a", "remote": "b"}'`);
    await client.query(`update attachments set purpose = 'tags', type = null`);
  } else {
    await client.query(`update vcons set extensions = '{x}', appended = '{"uuid": "${uuidOf(1)}"}'
      where uuid = '${uuidOf(3)}'`);
    await client.query(`update dialog set session_id = 'a/b'`);
    await client.query(`insert into groups (vcon_id, group_index, uuid) values (${id}, 0, '${uuidOf(2)}')`);
  }
}

describeWith(postgresNeed, 'an import from the database of vcon-mcp', () => {
  it.each(['first', 'current'] as const)(
    'imports all stored parts of a vCon, from the %s version of the schema',
    async (version) => {
      const { url, client } = await filledDatabase(version, 5);
      await addParts(client, version);
      const library = await freshLibrary();
      const result = await importVcons(library, [supabaseSource(url)]);
      expect(result.failure).toBeUndefined();
      expect(result).toMatchObject({ outcome: 'complete', counts: { created: 5, bad: 0 } });
      const documents = await exported(library);
      expect(documents.find((document) => Object(document).uuid === uuidOf(3))).toEqual({
        vcon: '0.3.0',
        uuid: uuidOf(3),
        extensions: ['x'],
        created_at: '2025-10-14T10:30:00.123456Z',
        updated_at: '2025-10-14T11:00:00Z',
        subject: 'Call 3',
        amended: { uuid: uuidOf(1) },
        ...(version === 'first' && { group: [{ uuid: uuidOf(2) }] }),
        parties: [{ name: 'Ann', tel: '+15550100199', civicaddress: { country: 'DE' } }, {}, { name: 'Bob' }],
        dialog: [
          {
            type: 'text',
            start: '2025-10-14T10:30:00Z',
            duration: 12.5,
            parties: [0, 2],
            originator: 0,
            mediatype: 'text/plain',
            body: 'Grüße „vom“ Band \\ 1',
            encoding: 'none',
            session_id: version === 'first' ? 'a/b' : { local: 'a', remote: 'b' },
            party_history: [{ party: 0, time: '2025-10-14T10:30:00Z', event: 'join' }],
          },
        ],
        analysis: [{ type: 'summary', dialog: 0, vendor: 'Example', body: '{"text": "short"}', encoding: 'json' }],
        attachments: [
          {
            ...(version === 'first' ? { type: 'tags' } : { purpose: 'tags' }),
            mediatype: 'application/json',
            body: '["team:sales"]',
            encoding: 'json',
          },
        ],
      });
      expect((await importVcons(library, [supabaseSource(url)])).counts).toMatchObject({ created: 0, unchanged: 5 });
    },
  );

  it('continues after the last written page, and shows its progress', async () => {
    const { url } = await filledDatabase('current', 230);
    const library = await freshLibrary();
    const seen: ImportProgress[] = [];
    const { onProgress, ...stop } = stopAfter(100);
    const first = await importVcons(library, [supabaseSource(url)], {
      ...stop,
      onProgress: (progress) => {
        seen.push(progress);
        onProgress(progress);
      },
    });
    expect(first).toMatchObject({
      outcome: 'stopped',
      counts: { ...none, created: 100, warnings: expect.any(Number) },
    });
    expect(seen.at(-1)).toMatchObject({ documents: 100, totalDocuments: 230 });
    const second = await importVcons(library, [supabaseSource(url)]);
    expect(second).toMatchObject({ outcome: 'complete', counts: { created: 130, unchanged: 0 } });
    expect(second.resumed).toEqual([{ source: expect.not.stringContaining('@'), line: 100 }]);
    expect(await library.store.db.selectFrom('import_place').selectAll().execute()).toEqual([]);
  });

  it('explains problems of the database without its password', async () => {
    const library = await freshLibrary();
    const empty = await importVcons(library, [supabaseSource(await freshDatabase())]);
    expect(empty).toMatchObject({
      outcome: 'failed',
      failure: { message: expect.stringContaining('no tables of vcon-mcp') },
    });
    const data = await freshFolder();
    const away = ['import', '--from-supabase', 'postgres://me:hidden-word@127.0.0.1:1/x', '--data', data];
    const { code, stderr, stdout } = await tidingsCommand(away);
    expect([code, stderr]).toEqual([1, expect.stringContaining('postgres://127.0.0.1:1/x cannot be read')]);
    expect(stderr + stdout).not.toContain('hidden-word');
    expect(await tidingsCommand(['import', '--from-supabase', 'mysql://x/y', '--data', data])).toMatchObject({
      code: 2,
    });
    expect(await tidingsCommand(['import', '--data', data])).toMatchObject({ code: 2 });
  });
});
