// A redaction is a boundary: under it nothing can be changed, and no search depends on hidden content.
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Credential, serveMemory } from '@tidings/live';
import { type Library, openLibrary, vconServer } from '@tidings/vcon';
import { describe, expect, it } from 'vitest';
import { serveOverHttp } from '../cli/hosted-tidings.ts';
import { bin } from '../cli/tidings-process.ts';
import { freshFolder } from './import-fixture.ts';
import { describeEngines } from './places.ts';
import { agentOf, agentOn } from './tool-agent.ts';

const uuid = '123e4567-e89b-12d3-a456-426614174000';
const document = {
  uuid,
  created_at: '2025-10-14T10:30:00Z',
  subject: 'Call of ann@example.com',
  parties: [{ name: 'Ann', tel: '+15550100199' }],
  dialog: [
    { type: 'text', encoding: 'none', body: 'Please call +1 555 010 0199.' },
    { type: 'recording', encoding: 'base64url', mediatype: 'audio/wav', body: 'c2VjcmV0IHNvdW5k' },
  ],
  attachments: [{ type: 'tags', encoding: 'json', body: ['owner:ann@example.com', 'kind:call'] }],
};

const reading = [
  'get_examples',
  'get_schema',
  'get_tags',
  'get_unique_tags',
  'get_vcon',
  'search_by_tags',
  'search_vcons',
  'search_vcons_content',
  'search_vcons_hybrid',
  'search_vcons_semantic',
  'verify_vcon',
];

/** Each call would change something, or reveal earlier content. */
const writing: [tool: string, args: Record<string, unknown>][] = [
  ['create_vcon', { subject: 'new' }],
  ['update_vcon', { uuid, subject: 'new' }],
  ['delete_vcon', { uuid }],
  // A text media type would make a withheld recording readable.
  ['update_dialog', { uuid, index: 1, dialog: { mediatype: 'text/plain' } }],
  ['manage_tag', { uuid, action: 'set', key: 'owner', value: 'ann@example.com' }],
  ['remove_all_tags', { uuid }],
  ['add_party', { uuid, party: {} }],
  ['remove_attachment', { uuid, index: 0 }],
];

async function connected(transport: Transport, era: 'modern' | 'legacy'): Promise<Client> {
  const mode = era === 'modern' ? 'auto' : 'legacy';
  const client = new Client({ name: 'redacted', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

async function expectOnlyReading(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(reading);
  for (const [name, args] of writing) {
    const error: unknown = await client.callTool({ name, arguments: args }).catch((failure: unknown) => failure);
    // The same error as for a tool that does not exist.
    const unknown: unknown = await client.callTool({ name: `no_${name}` }).catch((failure: unknown) => failure);
    expect([name, Object(error).code, String(error)]).toEqual([
      name,
      Object(unknown).code,
      String(unknown).replace(`no_${name}`, name),
    ]);
  }
  await client.close();
}

async function dataWithDocument(): Promise<string> {
  const data = await freshFolder();
  await unchanged(data, async (library) => void (await library.create(document)));
  return data;
}

async function unchanged(data: string, use: (library: Library) => Promise<void>): Promise<void> {
  const library = await openLibrary(data);
  await use(library);
  await library.close();
}

describe('under a redaction no tool changes anything', () => {
  it.each(['modern', 'legacy'] as const)('over stdio and HTTP, %s', async (era) => {
    const data = await dataWithDocument();
    const args = ['serve', 'vcon', '--data', data, '--redact', 'contact-details'];
    await expectOnlyReading(
      await connected(new StdioClientTransport({ command: process.execPath, args: [bin, ...args] }), era),
    );
    const { url } = await serveOverHttp(...args.slice(1));
    await expectOnlyReading(await connected(new StreamableHTTPClientTransport(new URL(url)), era));
    await unchanged(data, async (library) => {
      expect(JSON.parse(await library.reader(undefined, 1e6).document(uuid))).toEqual(document);
    });
  });

  it.each([
    ['modern', 'contact-details'],
    ['legacy', 'contact-details'],
    ['modern', 'a redaction that does not exist'],
    ['legacy', 'a redaction that does not exist'],
  ] as const)('for a caller of a shared server whose credential names it, %s, %s', async (era, redact) => {
    const data = await dataWithDocument();
    const server = vconServer(await openLibrary(data));
    const auth: Credential = { subject: 'reader', redact };
    await expectOnlyReading(await connected(serveMemory(server, { auth }), era));
    const open = await connected(serveMemory(server), era);
    expect((await open.listTools()).tools.length).toBe(reading.length + 17);
    await open.close();
    await server.close();
  });
});

type Query = readonly [sql: string, parameters: string, rows: number];

/** Records all database queries from now on. */
function queryLog(library: Library): Query[] {
  const log: Query[] = [];
  const executor = library.store.db.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  executor.executeQuery = async <Row>(...args: Parameters<typeof execute<Row>>) => {
    const result = await execute<Row>(...args);
    const [{ sql, parameters }] = args;
    log.push([sql, JSON.stringify(parameters), result.rows.length]);
    return result;
  };
  return log;
}

/** The same search, once for hidden content and once for content that does not exist. */
const questions: [tool: string, hidden: Record<string, unknown>, nowhere: Record<string, unknown>][] = [
  ['search_vcons', { party: '+1555' }, { party: '+1666' }],
  ['search_vcons', { party: '+15550100199' }, { party: '+16660100199' }],
  ['search_vcons', { subject: 'ann@example.com' }, { subject: 'zzz@example.org' }],
  ['search_vcons', { tags: { owner: 'ann@example.com' } }, { tags: { owner: 'zzz@example.org' } }],
  ['search_vcons', { party: '0199', start_date: '2025-10-01' }, { party: '0666', start_date: '2025-10-01' }],
  ['search_by_tags', { tags: { owner: 'ann@example.com' } }, { tags: { owner: 'zzz@example.org' } }],
  ['search_by_tags', { tags: { 'bob@example.com': 'y' } }, { tags: { 'zzz@example.org': 'y' } }],
  ['search_vcons_content', { query: '0199' }, { query: '0666' }],
  ['search_vcons_content', { query: 'please example' }, { query: 'please zzzzzzz' }],
  ['get_unique_tags', { key: 'bob@example.com' }, { key: 'zzz@example.org' }],
  ['get_unique_tags', { key_filter: 'bob@' }, { key_filter: 'zzz@' }],
  ['search_vcons', { party_tel: '5550100199' }, { party_tel: '6660100199' }],
  ['search_vcons', { party_name: 'ann', party_tel: '0199' }, { party_name: 'ann', party_tel: '0666' }],
  ['search_vcons', { query: '0199', include_count: true }, { query: '0666', include_count: true }],
  ['search_vcons', { subject: 'ann@', response_format: 'full' }, { subject: 'zzz@', response_format: 'full' }],
  ['search_vcons_content', { query: 'please', party_tel: '0199' }, { query: 'please', party_tel: '0666' }],
  [
    'search_vcons_content',
    { query: 'please', tags: { owner: 'ann@example.com' }, include_count: true },
    { query: 'please', tags: { owner: 'zzz@example.org' }, include_count: true },
  ],
  ['search_vcons_hybrid', { query: 'please', party: '0199' }, { query: 'please', party: '0666' }],
  [
    'search_by_tags',
    { tags: { owner: 'ann@example.com' }, return_full_vcons: true, include_count: true },
    { tags: { owner: 'zzz@example.org' }, return_full_vcons: true, include_count: true },
  ],
];

describeEngines('a search under a redaction', (newPlace) => {
  it('sends the same queries for hidden content as for content that does not exist', async () => {
    await using open = await agentOn(await newPlace());
    const { library } = open;
    for (let n = 0; n < 120; n += 1) {
      const isHolder = n % 3 === 0;
      const body = isHolder ? ['owner:ann@example.com', 'bob@example.com:y'] : ['owner:somebody'];
      await library.create({
        subject: isHolder ? 'Call of ann@example.com' : 'Call',
        created_at: `2025-10-14T10:${String(n % 60).padStart(2, '0')}:00Z`,
        parties: [{ name: `Ann ${n}`, tel: isHolder ? '+15550100199' : '+4930123456' }],
        dialog: [{ type: 'text', encoding: 'none', body: isHolder ? 'Please call +1 555 010 0199.' : 'Please.' }],
        attachments: [{ type: 'tags', encoding: 'json', body }],
      });
    }
    const log = queryLog(library);
    const redacted = await agentOf(vconServer(library, { redact: 'contact-details' }));
    const asked = async (tool: string, args: Record<string, unknown>) => {
      log.length = 0;
      const answer = await redacted.do(tool, args);
      return { answer, queries: [...log] };
    };
    // The first search builds the index that later ones use.
    await asked('search_vcons', { party: 'nobody' });
    for (const [tool, hidden, nowhere] of questions) {
      // Without a redaction the content is found; otherwise this comparison would prove nothing.
      expect([tool, hidden, await open.do(tool, hidden)]).not.toEqual([
        tool,
        hidden,
        expect.objectContaining({ count: 0 }),
      ]);
      const [one, other] = [await asked(tool, hidden), await asked(tool, nowhere)];
      expect([tool, hidden, one.answer]).toEqual([tool, hidden, other.answer]);
      expect(one.queries.length).toBeGreaterThan(0);
      expect([tool, hidden, one.queries]).toEqual([tool, hidden, other.queries]);
    }
    // Completion of a prompt's arguments searches too.
    for (const [hidden, nowhere] of [
      [
        { name: 'key', value: 'bob@' },
        { name: 'key', value: 'zzz@' },
      ],
      [
        { name: 'value', value: 'ann@' },
        { name: 'value', value: 'zzz@' },
      ],
    ] as const) {
      const completed = async (argument: { name: string; value: string }) => {
        log.length = 0;
        const ref = { type: 'ref/prompt' as const, name: 'find_by_tags' };
        const { completion } = await redacted.client.complete({
          ref,
          argument,
          context: { arguments: { key: 'owner' } },
        });
        return [completion, ...log];
      };
      expect(await completed(hidden)).toEqual(await completed(nowhere));
    }
    await redacted.client.close();
  });

  it('counts and pages by the redacted content', async () => {
    await using open = await agentOn(await newPlace());
    const redacted = await agentOf(vconServer(open.library, { redact: 'contact-details' }));
    const { uuid: first } = await open.library.create(document);
    await open.library.create({
      created_at: '2025-10-15T10:30:00Z',
      attachments: [
        { type: 'tags', encoding: 'json', body: { owner: 'bob@example.com', kind: 'call', tel: '+15550100199' } },
      ],
    });
    expect(await redacted.do('get_unique_tags')).toEqual({
      count: 2,
      tags: [
        { key: 'kind', distinct_values: 1, values: [{ value: 'call', count: 2 }] },
        // Two values that differ only in hidden parts count as one.
        { key: 'owner', distinct_values: 1, values: [{ value: '[redacted]', count: 2 }] },
      ],
    });
    expect(await redacted.do('search_by_tags', { tags: { owner: '[redacted]' } })).toMatchObject({ count: 2 });
    expect(await redacted.do('search_vcons', { party: 'ann', limit: 1 })).toMatchObject({
      results: [{ uuid: first, subject: 'Call of [redacted]' }],
      has_more: false,
    });
    // Changes and deletions are visible at once.
    await open.do('update_party', { uuid: first, index: 0, party: { name: 'Eve' } });
    expect(await redacted.do('search_vcons', { party: 'ann' })).toMatchObject({ count: 0 });
    expect(await redacted.do('search_vcons', { party: 'eve' })).toMatchObject({ count: 1 });
    await open.do('delete_vcon', { uuid: first });
    expect(await redacted.do('search_vcons', { party: 'eve' })).toMatchObject({ count: 0 });
    // A deleted uuid that is created again has its new content.
    await open.library.create({ ...document, parties: [{ name: 'Zoe' }] });
    expect(await redacted.do('search_vcons', { party: 'zoe' })).toMatchObject({ count: 1 });
    await redacted.client.close();
  });

  it('does not reveal the size of hidden content', async () => {
    await using open = await agentOn(await newPlace());
    const recording = { type: 'recording', encoding: 'base64url', mediatype: 'audio/wav', body: 'A'.repeat(40_000) };
    for (let n = 0; n < 3; n += 1) await open.library.create({ subject: `s${n}`, dialog: [recording] });
    const server = vconServer(open.library, { redact: 'contact-details', resourceBudget: 50_000 });
    const { client } = await agentOf(server);
    const { contents } = await client.readResource({ uri: 'vcon://v1/vcons/recent' });
    expect(JSON.stringify(contents)).toContain('s2');
    await client.close();
  });
});
