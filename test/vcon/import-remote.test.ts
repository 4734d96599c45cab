// Moving over from another server: from the tables of vcon-mcp in PostgreSQL, and from any vCon MCP server.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { LiveError, liveServer, serveHttp } from '@tidings/live';
import { type ImportProgress, type RemoteSource, importVcons, supabaseSource, vconServer } from '@tidings/vcon';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { mcpSource } from '../../packages/hub/src/transfer/mcp-source.ts';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { describeWith } from '../support/needs.ts';
import { postgresNeed } from '../support/postgres.ts';
import { freshDatabase } from '../support/shared-postgres.ts';
import { exported, freshFolder, freshLibrary, numbered, range, uuidOf } from './import-fixture.ts';
import { type SchemaVersion, vconMcpTables } from './vcon-mcp-tables.ts';

const none = { created: 0, unchanged: 0, replaced: 0, conflicts: 0, bad: 0, warnings: 0 };

/** Stops an import once so many documents were written. */
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
  // The row of the second party is missing.
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
    'brings all that is kept of a vCon, in the %s version of the schema',
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

  it('explains problems of the database, without its password', async () => {
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

/** A server with the tools and resources of vcon-mcp, its broken pages of ids included. */
async function oldServer(documents: readonly Record<string, unknown>[]): Promise<{ url: string; calls: string[] }> {
  const server = liveServer({ name: 'vcon-mcp', version: '1.3.0' });
  const calls: string[] = [];
  const newest = documents.toSorted((a, b) => (String(a['created_at']) < String(b['created_at']) ? 1 : -1));
  const shown = (some: readonly Record<string, unknown>[]) =>
    some.map(({ uuid, created_at, subject }) => ({ uuid, created_at, subject }));
  server.resource('vcon://v1/vcons/ids/{n}', {
    read: ({ n }) => {
      const page = newest.slice(0, Number(n));
      return { count: page.length, has_more: true, next_cursor: page.at(-1)?.['created_at'], vcons: shown(page) };
    },
  });
  server.resource('vcon://v1/vcons/{uuid}', {
    read: ({ uuid }) => {
      // Odd ones are to be had by the tool only.
      const found = documents.find((document) => document['uuid'] === uuid);
      if (found !== undefined && Number(uuid.slice(-1)) % 2 === 0) return found;
      throw new LiveError('RESOURCE_NOT_FOUND', 'There is none.');
    },
  });
  const answer = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });
  server.tool(
    'search_vcons',
    {
      input: z.object({
        limit: z.number(),
        end_date: z.string().optional(),
        response_format: z.string(),
        include_count: z.boolean().optional(),
      }),
    },
    ({ limit, end_date = '9999' }) => {
      calls.push(`search_vcons ${end_date}`);
      const results = newest.filter(({ created_at }) => String(created_at) <= end_date).slice(0, limit);
      return answer({ success: true, count: results.length, results: shown(results), total_count: documents.length });
    },
  );
  server.tool('get_vcon', { input: z.object({ uuid: z.string(), response_format: z.string() }) }, ({ uuid }) => {
    const vcon = documents.find((document) => document['uuid'] === uuid);
    if (uuid === uuidOf(7)) return { ...answer('the database is on fire'), isError: true };
    return answer({ success: true, vcon });
  });
  const { url, close } = await serveHttp(server, { port: 0 });
  onTestFinished(async () => {
    await close();
    await server.close();
  });
  return { url, calls };
}

describe('an import from another vCon MCP server', () => {
  it('brings everything from a server of this kind, ties included, by command', async () => {
    const theirs = await freshLibrary();
    const documents = [
      ...range(0, 130),
      ...Array.from({ length: 120 }, (_, n) => numbered(130 + n, { created_at: '2025-01-01T00:00:00Z' })),
    ];
    await theirs.putAll(
      documents.map((document) => theirs.accept(document)),
      { replace: false },
    );
    const server = vconServer(theirs);
    const { url, close } = await serveHttp(server, {
      port: 0,
      authenticate: ({ headers }) =>
        headers.authorization === 'Bearer let-me-in-please' ? { subject: 'me' } : undefined,
    });
    onTestFinished(close);
    const data = await freshFolder();
    const command = ['import', '--from-mcp', url, '--data', data];
    const refused = await tidingsCommand(command);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('TIDINGS_IMPORT_TOKEN')]);
    const env = { TIDINGS_IMPORT_TOKEN: 'let-me-in-please' };
    const { code, stdout, stderr } = await tidingsCommand(command, { env });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('let-me-in')]);
    expect(stdout).toMatch(/^250 vCons in [\d.]+ s: 250 created\n$/);
    const ours = await freshLibrary(data);
    expect(await exported(ours)).toEqual(await exported(theirs));
  });

  it('brings everything from vcon-mcp, back in time, and reports what cannot be had', async () => {
    const documents = Array.from({ length: 230 }, (_, n) => {
      // Some share a time, also across the border of a page.
      return { ...numbered(n), created_at: new Date(1_700_000_000_000 + Math.floor(n / 7) * 1000).toISOString() };
    });
    const { url, calls } = await oldServer(documents);
    const data = await freshFolder();
    const { code, stdout, stderr } = await tidingsCommand(['import', '--from-mcp', url, '--data', data]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${uuidOf(7)}: get_vcon failed`)]);
    expect(stdout).toMatch(/230 vCons in [\d.]+ s: 229 created, 1 bad/);
    expect(calls.length).toBeLessThan(8);
    const ours = await freshLibrary(data);
    const expected = documents.filter(({ uuid }) => uuid !== uuidOf(7));
    const inOrder = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).sort();
    expect(inOrder(await exported(ours))).toEqual(inOrder(expected));
  });

  it('says if the other server is not a vCon server', async () => {
    const other = createServer((_, response) => void response.writeHead(500).end('no'));
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const data = await freshFolder();
    for (const url of [`http://127.0.0.1:${port}/mcp`, 'http://127.0.0.1:1/mcp']) {
      const { code, stderr } = await tidingsCommand(['import', '--from-mcp', url, '--data', data]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${url} cannot be read`)]);
    }
    await new Promise((resolve) => void other.close(resolve));
    const closed = await tidingsCommand(['import', '--from-mcp', `http://127.0.0.1:${port}/mcp`, '--data', data]);
    expect(closed.stderr).toContain('nothing listens there');
    const secret = ['import', '--from-mcp', 'http://me:secret-word@127.0.0.1/mcp', '--data', data];
    const { code, stderr } = await tidingsCommand(secret);
    expect([code, stderr]).toEqual([2, expect.stringContaining('TIDINGS_IMPORT_TOKEN')]);
    expect(stderr).not.toContain('secret-word');
  });
});

/** Answers every request for a page of ids with the text that `page` gives, in an envelope of JSON-RPC. */
async function pagesServer(page: (response: ServerResponse, id: unknown, uri: string) => void): Promise<string> {
  const requestSchema = z.object({
    id: z.unknown().optional(),
    method: z.string(),
    params: z.looseObject({ uri: z.string().optional() }).optional(),
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = requestSchema.parse(JSON.parse(await text(request)));
    if (id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    if (method === 'resources/read') return page(response, id, params?.uri ?? '');
    const serverInfo = { name: 'pages', version: '1.0.0' };
    const result = { protocolVersion: '2025-06-18', capabilities: { resources: {} }, serverInfo };
    const outcome = method === 'initialize' ? { result } : { error: { code: -32601, message: 'Method not found' } };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`;
}

function endPage(response: ServerResponse, id: unknown, uri: string, page: object): void {
  endText(response, id, uri, JSON.stringify(page));
}

function endText(response: ServerResponse, id: unknown, uri: string, json: string): void {
  const result = { contents: [{ uri, mimeType: 'application/json', text: json }] };
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

describe('an import from a server that sends without end', () => {
  const failure = async (url: string) => {
    const { outcome, failure } = await importVcons(await freshLibrary(), [mcpSource(url, undefined, 1_000_000)]);
    return [outcome, failure instanceof Error ? failure.message : ''];
  };

  it('refuses a message that is too large before it has come to its end', async () => {
    const chunk = 'x'.repeat(60_000);
    const url = await pagesServer((response, id, uri) => {
      response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"contents":[{"uri":"${uri}","text":"`);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    expect(await failure(url)).toEqual(['failed', expect.stringContaining('larger than 1000000 bytes')]);
  });

  it.each([
    ['the same cursor twice', () => ({ vcons: [], next_cursor: 'again', has_more: true })],
    ['pages in a row without a vCon', (n: number) => ({ vcons: [], next_cursor: `c${n}`, has_more: true })],
    ['a page of 5000 vCons', () => ({ vcons: Array.from({ length: 5000 }, (_, n) => ({ uuid: uuidOf(n) })) })],
  ])('stops at %s', async (reason, page) => {
    let pages = 0;
    const url = await pagesServer((response, id, uri) => endPage(response, id, uri, page((pages += 1))));
    expect(await failure(url)).toEqual(['failed', expect.stringContaining(reason)]);
  });
});

describe('an import from a server with a bad vCon', () => {
  it.each([
    [
      'that is nested deep',
      uuidOf(1),
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      `${uuidOf(1)}: it is nested too deep`,
    ],
    [
      'with an odd name',
      `a\nForged line \u{1b}[2J${'x'.repeat(500_000)}`,
      '}',
      /^a Forged line \[2Jx{1,200}…: \P{Cc}{1,250}$/u,
    ],
  ])('%s imports the others, and says so on one line', async (_, uuid, document, reason) => {
    const url = await pagesServer((response, id, uri) => {
      const others = JSON.stringify(numbered(2));
      if (uri.includes('/ids/'))
        endPage(response, id, uri, { vcons: [{ uuid }, { uuid: uuidOf(2) }], has_more: false });
      else endText(response, id, uri, uri.endsWith(uuidOf(2)) ? others : document);
    });
    expect(await importVcons(await freshLibrary(), [mcpSource(url, undefined, 2_000_000)])).toMatchObject({
      outcome: 'complete',
      counts: { created: 1, bad: 1 },
      problems: [{ reason: expect.stringMatching(reason) }],
    });
  });
});

describe('an import from a server that goes away', () => {
  it('keeps what was received, and continues after it', async () => {
    const library = await freshLibrary();
    const asked: (string | undefined)[] = [];
    const source = (failing: boolean): RemoteSource => ({
      name: 'test://pages',
      count: async () => undefined,
      async *pages(after) {
        asked.push(after);
        for (let page = Number(after ?? 0); page < 5; page += 1) {
          if (failing && page === 3) throw Object.assign(new Error('gone'), { code: 'UNAVAILABLE' });
          const documents = range(page * 10, page * 10 + 10).map((value) => ({ value, bytes: 100 }));
          yield { documents, cursor: String(page + 1) };
        }
      },
    });
    expect(await importVcons(library, [source(true)])).toMatchObject({ outcome: 'failed', counts: { created: 30 } });
    expect(await importVcons(library, [source(false)])).toMatchObject({
      outcome: 'complete',
      counts: { created: 20 },
      resumed: [{ source: 'test://pages', line: 30 }],
    });
    expect(asked).toEqual([undefined, '3']);
  });
});
