// A token with a redaction, and real conversations: redacted values are not disclosed on any way.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { liveServer } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { openVcon } from '@tidings/vcon';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variants } from '../support/run/proof-size.ts';
import { SseClient } from '../support/wire/sse-client.ts';
import { base, supportCall } from '../vcon/workbench.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const { uuid } = supportCall;
const mail = 'planted.secret@example.com';
const phone = '+491701112233';
const text = `Call ${phone} or write to ${mail}.`;
const document = {
  ...supportCall,
  subject: `About ${mail}`,
  parties: [{ name: `Jane ${mail}`, tel: phone, mailto: mail }],
  dialog: [{ type: 'text', start: '2025-10-14T10:30:00Z', parties: [0], body: text }],
  analysis: [{ type: 'summary', vendor: 'x', encoding: 'none', body: text }],
  attachments: [{ type: 'tags', encoding: 'json', body: JSON.stringify([`contact:${mail}`]) }],
};
const redactions = {
  strict: { drop: ['tel', 'mailto'], mask: [String.raw`\S+@\S+`, String.raw`\+\d{6,}`] },
};
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function conversations(allow: string[] | undefined): Promise<RunningHub> {
  const place = await mkdtemp(join(tmpdir(), 'tidings-redaction-'));
  const hub = await runningHub({
    servers: [{ id: 'vcon', builtin: 'vcon', enabled: true, trackResources: true }],
    builtins: { vcon: () => openVcon({ place, redactions }) },
    config: { tokens: [{ env: 'READER', allow, redact: 'strict', tools: ['vcon_*'], prompts: ['vcon_*'] }] },
    token: 'whole',
    env: { READER: 'part' },
  });
  await hub.isLive('vcon');
  const writer = await hub.connect('modern', '/mcp', 'whole');
  await writer.call('vcon_create_vcon', document);
  await eventually('it to be listed', async () => (await writer.listAll()).includes(`${base}/${uuid}`));
  // Into the mirror, from which other callers are served.
  expect(await writer.read(`${base}/${uuid}`)).toContain(mail);
  await writer.close();
  return {
    ...hub,
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      await rm(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function everythingSaidTo(hub: RunningHub, token: string, path: string, mode: 'auto' | 'legacy') {
  const said: string[] = [];
  const note = async (asking: Promise<unknown>) => void said.push(JSON.stringify(await asking.catch(String)));
  const client = new Client({ name: 'curious', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: bearer(token) };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}${path}`), { requestInit }));
  await note(client.listResources());
  await note(client.listResourceTemplates());
  const parts = ['', '/metadata', '/parties', '/dialog', '/analysis', '/summary', '/transcript', '/tags', '/dialog/0'];
  const uris = [`${base}/recent`, `${base}/ids`, 'vcon://recent', ...parts.map((part) => `${base}/${uuid}${part}`)];
  for (const uri of [...uris, `tidings://vcon/${encodeURIComponent(`${base}/${uuid}`)}`]) {
    await note(client.readResource({ uri }));
    await note(hub.get(`/resources/${encodeURIComponent(uri)}`, bearer(token)).then((answer) => answer.text()));
  }
  const { tools } = await client.listTools();
  const questions = [{ uuid }, { vcon_uuid: uuid }, { query: 'call' }, { query: 'planted' }, { subject: 'about' }, {}];
  for (const { name } of tools.filter((tool) => !/delete|remove|create|wait/.test(tool.name))) {
    for (const args of questions) await note(client.callTool({ name, arguments: args }));
  }
  await note(client.callTool({ name: 'vcon_update_vcon', arguments: { uuid, updates: { 'x-touched': true } } }));
  await note(client.callTool({ name: 'update_vcon', arguments: { uuid, updates: { 'x-touched': true } } }));
  const { prompts } = await client.listPrompts();
  for (const { name, arguments: args = [] } of prompts) {
    const given = Object.fromEntries(args.map((argument) => [argument.name, 'about']));
    await note(client.getPrompt({ name, arguments: given }));
    for (const argument of args) {
      await note(client.complete({ ref: { type: 'ref/prompt', name }, argument: { name: argument.name, value: '' } }));
    }
  }
  for (const type of ['analysis', 'attachments']) {
    const ref = { type: 'ref/resource' as const, uri: `${base}/{uuid}/${type}/type/{type}` };
    await note(client.complete({ ref, argument: { name: 'type', value: '' }, context: { arguments: { uuid } } }));
  }
  for (const route of [
    '/api/resources?limit=1000',
    `/api/resources?q=planted`,
    '/api/events?limit=1000',
    '/api/servers',
  ])
    await note(hub.json(route, bearer(token)));
  await client.close();
  return said;
}

const secrets = [mail, phone, 'planted', '1701112233'];
const leaksOf = (said: readonly string[]) =>
  said.filter((each) => secrets.some((secret) => each.includes(secret)) && !/\\?"query\\?":/.test(each));

describe('a redaction bound to a token', () => {
  let open: RunningHub;
  let narrow: RunningHub;
  beforeAll(async () => {
    open = await conversations(undefined);
    narrow = await conversations(['vcon://**', 'tidings://vcon/**']);
  });
  afterAll(async () => {
    await open[Symbol.asyncDispose]();
    await narrow[Symbol.asyncDispose]();
  });

  const ways = variants<readonly [path: string, mode: 'auto' | 'legacy', isNarrow: boolean]>({
    test: [['/mcp', 'auto', true]],
    prove: [
      ['/mcp', 'legacy', false],
      ['/mcp/vcon', 'auto', false],
    ],
  });
  it.each(ways)('applies to every response of %s to a client in mode %s', async (path, mode, isNarrow) => {
    const hub = isNarrow ? narrow : open;
    const events = await SseClient.open(`${hub.url}/api/mcp/resource-events?after=`, bearer('part'));
    // The unredacted responses contain the values: otherwise this test would prove nothing.
    expect(leaksOf(await everythingSaidTo(hub, 'whole', path, mode)).length).toBeGreaterThan(20);
    const said = await everythingSaidTo(hub, 'part', path, mode);
    expect(leaksOf(said)).toEqual([]);
    expect(said.length).toBeGreaterThan(40);
    expect(said.join('\n')).toContain(uuid);
    expect(leaksOf(events.frames.map((frame) => JSON.stringify(frame)))).toEqual([]);
    events.close();
  });

  it.each([
    ['modern', '/mcp', 'vcon_'],
    ['legacy', '/mcp', 'vcon_'],
    ['modern', '/mcp/vcon', ''],
    ['legacy', '/mcp/vcon', ''],
  ] as const)('leaves no tool that changes anything, for a %s client of %s', async (era, path, prefix) => {
    const hub = open;
    const mode = era === 'modern' ? 'auto' : 'legacy';
    const connected = async (token: string) => {
      const client = new Client({ name: 'curious', version: '1.0.0' }, { versionNegotiation: { mode } });
      const requestInit = { headers: bearer(token) };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}${path}`), { requestInit }));
      return client;
    };
    const [whole, part] = [await connected('whole'), await connected('part')];
    const isReading = ({ annotations }: { annotations?: { readOnlyHint?: boolean | undefined } | undefined }) =>
      annotations?.readOnlyHint === true;
    const { tools } = await whole.listTools();
    const writing = tools.filter((tool) => !isReading(tool)).map(({ name }) => name);
    expect(writing).toContain(`${prefix}update_dialog`);
    expect((await part.listTools()).tools.filter((tool) => !isReading(tool))).toEqual([]);
    for (const name of writing) {
      await expect(part.callTool({ name, arguments: { uuid, index: 0 } }), name).rejects.toThrow('not found');
    }
    expect(JSON.stringify(await whole.readResource({ uri: `${base}/${uuid}` }))).toContain(phone);
    await whole.close();
    await part.close();
  });

  it('applies to requests made before the server is connected', async () => {
    let come: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      come = resolve;
    });
    const vault = liveServer({ name: 'vault', version: '1.0.0' });
    vault.resource('vault://{x}', {
      read: (_, { caller: { auth } }) => (auth?.['redact'] === 'strict' ? 'blacked out' : 'the secret'),
    });
    await using hub = await runningHub({
      servers: [{ id: 'vault', builtin: 'vault', enabled: true, trackResources: true }],
      builtins: { vault: () => opened.then(() => vault) },
      config: { tokens: [{ env: 'READER', redact: 'strict' }] },
      token: 'whole',
      env: { READER: 'part' },
    });
    const reading = hub.get('/resources/tidings%3A%2F%2Fvault%2Fvault%253A%252F%252Fone', bearer('part'));
    await hub.get('/healthz');
    come();
    expect(await (await reading).text()).toBe('blacked out');
  });

  it.each([
    ['opens all', undefined],
    ['opens them by name', ['note://**', 'plain://**', 'tidings://**']],
  ])('excludes servers that do not redact, although the token %s', async (_what, allow) => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', text);
    const plain = liveServer({ name: 'plain', version: '1.0.0' });
    const page = plain.resource('plain://page', { read: () => text });
    await using hub = await runningHub({
      servers: [upstream.entry('notes'), { id: 'plain', builtin: 'plain', enabled: true, trackResources: true }],
      builtins: { plain: async () => plain },
      redacting: [],
      config: { tokens: [{ env: 'READER', allow, redact: 'strict' }] },
      token: 'whole',
      env: { READER: 'part' },
    });
    await hub.isLive('notes', 'plain');
    const events = await SseClient.open(`${hub.url}/api/mcp/resource-events`, bearer('part'));
    const all = await SseClient.open(`${hub.url}/api/mcp/resource-events`, bearer('whole'));
    const said: unknown[] = [];
    for (const era of ['modern', 'legacy'] as const) {
      const client = await hub.connect(era, '/mcp', 'part');
      expect(await client.listAll()).toEqual([]);
      // As for servers that do not exist.
      for (const [uri, message, status] of [
        ['note://a', 'None of the servers here has "note:" resources', 400],
        ['plain://page', 'None of the servers here has "plain:" resources', 400],
        ['tidings://plain/plain%3A%2F%2Fpage', 'There is no server "plain" here', 404],
      ] as const) {
        await expect(client.read(uri)).rejects.toThrow(message);
        expect((await client.subscribe(uri)).honored).toEqual([]);
        expect((await hub.get(`/resources/${encodeURIComponent(uri)}`, bearer('part'))).status).toBe(status);
      }
      expect(await client.call('notes_put_note', { name: 'a', text: 'x' }).catch(String)).not.toContain('saved');
      const waiting = client.call('wait_for_change', { timeout_seconds: 1 });
      upstream.put('a', `${text} ${era}`);
      upstream.put(`new-${era}`, text);
      page.changed();
      await all.told('note://a');
      await all.told('plain://page');
      said.push(await waiting, await client.call('list_changes'));
      said.push(await client.read('tidings://nobody/note%3A%2F%2Fa').catch(String));
      await client.close();
    }
    for (const route of ['/api/events?limit=1000', '/api/events?last=1000', '/api/resources', '/api/servers'])
      said.push(await hub.json(route, bearer('part')));
    said.push(events.frames);
    expect(JSON.stringify(said)).not.toMatch(/note:|plain:|\b(notes|plain)\b/);
    events.close();
    all.close();
  });

  it.each([
    ['restricted to some resources', { env: 'READER', allow: ['note://**'] }],
    ['bound to a redaction', { env: 'READER', redact: 'strict' }],
  ])('denies routes about the whole hub to a token that is %s', async (_what, token) => {
    await using hub = await runningHub({ config: { tokens: [token] }, token: 'whole', env: { READER: 'part' } });
    const asked = [
      ['GET', '/metrics'],
      ['GET', '/api/sessions'],
      ['GET', '/api/sessions/transcript/transcript'],
      ['POST', '/api/sessions'],
      ['POST', '/api/demo'],
      ['PATCH', '/api/servers/x'],
    ] as const;
    for (const [method, path] of asked) {
      const headers = { ...bearer('part'), 'Content-Type': 'application/json' };
      const answer = await fetch(`${hub.url}${path}`, { method, headers });
      expect(answer.status, path).toBe(403);
      expect(await answer.json(), path).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
    }
    expect((await hub.get('/metrics', bearer('whole'))).status).toBe(200);
  });
});
