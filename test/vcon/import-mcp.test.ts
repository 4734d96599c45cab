// Imports from other vCon MCP servers: of this kind, vcon-mcp, hostile ones and failing ones.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { LiveError, liveServer, serveHttp } from '@tidings/live';
import { type RemoteSource, importVcons, vconServer } from '@tidings/vcon';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { mcpSource } from '../../packages/hub/src/transfer/mcp-source.ts';
import { tidingsCommand } from '../cli/hosted-tidings.ts';
import { exported, freshFolder, freshLibrary, numbered, range, uuidOf } from './import-fixture.ts';

/** A server with the tools and resources of vcon-mcp, whose pages of ids always claim that there are more. */
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
      // Only the tool returns vCons with an odd last digit.
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
  it('imports everything from a server of this kind by command, including equal times', async () => {
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

  it('imports everything from vcon-mcp, newest first, and reports unreadable vCons', async () => {
    const documents = Array.from({ length: 230 }, (_, n) => {
      // Seven vCons share each time, also across pages.
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

  it('reports that the other server is not a vCon server', async () => {
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
    expect(closed.stderr).toMatch(/nothing listens there\. Start the server, or check its address\.\n$/);
    const secret = ['import', '--from-mcp', 'http://me:secret-word@127.0.0.1/mcp', '--data', data];
    const { code, stderr } = await tidingsCommand(secret);
    expect([code, stderr]).toEqual([2, expect.stringContaining('TIDINGS_IMPORT_TOKEN')]);
    expect(stderr).not.toContain('secret-word');
  });
});

/** A server whose reads are answered by `page`. */
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

describe('an import from a server whose answers do not end', () => {
  const failure = async (url: string) => {
    const { outcome, failure } = await importVcons(await freshLibrary(), [mcpSource(url, undefined, 1_000_000)]);
    return [outcome, failure instanceof Error ? failure.message : ''];
  };

  it('refuses a message over the size limit before its end', async () => {
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
  ])('%s imports the others, and reports it on one line', async (_, uuid, document, reason) => {
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

describe('an import from a server that becomes unavailable', () => {
  it('keeps the received vCons, and continues after them', async () => {
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
