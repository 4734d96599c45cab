// Servers that are added, removed and disabled over HTTP: the configuration file is changed, with effect at once.
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '@tidings/track';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serversSchema } from '../support/wire/strict-answers.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

let notes: NotesUpstream;
let hub: RunningHub;
let folder: string;
let file: string;

beforeAll(async () => {
  notes = await NotesUpstream.start('modern');
  notes.put('a', 'one');
  folder = await mkdtemp(join(tmpdir(), 'tidings-edit-'));
  file = join(folder, 'servers.json');
  const text = `{ "servers": [\n  // mine\n  { "id": "first", "url": "${notes.entry('x').url}", "trackResources": true }\n], "tokens": [{ "env": "READER", "servers": ["first"] }] }\n`;
  await writeFile(file, text);
  hub = await runningHub({
    servers: parseConfig(text, { file, env: {} }).servers,
    configFile: file,
    token: 'whole-token-of-this-test',
    config: { tokens: [{ env: 'READER', servers: ['first'] }] },
    env: { READER: 'reader-token-of-this-test' },
  });
  await hub.isLive('first');
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await notes[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: unknown, token = 'whole-token-of-this-test') {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${hub.url}${path}`, { method, headers, ...sent });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
}

describe('servers over HTTP', () => {
  it('are added by URL: they are in the file, which keeps its comments, and are connected', async () => {
    const { url } = notes.entry('x');
    expect(await ask('POST', '/api/servers', { id: 'second', url })).toMatchObject({
      status: 201,
      json: { id: 'second', tracked: true, address: url },
    });
    await hub.isLive('second');
    const text = await readFile(file, 'utf8');
    expect(text).toContain('// mine');
    expect(parseConfig(text, { file, env: {} }).servers.map(({ id }) => id)).toEqual(['first', 'second']);
    expect((await readdir(folder)).filter((name) => name.endsWith('.bak'))).toHaveLength(1);
  });

  it('are disabled, enabled and removed', async () => {
    expect(await ask('PATCH', '/api/servers/second', { enabled: false })).toMatchObject({
      json: { state: 'disabled' },
    });
    expect(await readFile(file, 'utf8')).toContain('"enabled": false');
    expect(await ask('PATCH', '/api/servers/second', { enabled: true })).toMatchObject({ json: { enabled: true } });
    await hub.isLive('second');
    expect(await ask('DELETE', '/api/servers/second')).toMatchObject({ status: 204 });
    const { servers, configFile } = serversSchema.parse((await ask('GET', '/api/servers')).json);
    expect(servers.map(({ id }) => id)).toEqual(['first']);
    expect(configFile).toBe(file);
    expect(await readFile(file, 'utf8')).toContain('// mine');
  });

  it.each([
    ['a command', { id: 'x', command: 'rm' }],
    ['headers', { id: 'x', url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer s' } }],
    ['a password in the address', { id: 'x', url: 'http://user:secret@127.0.0.1:1/mcp' }],
    ['a value from the environment', { id: 'x', url: 'http://127.0.0.1:1/${HOME}' }],
    ['one in its description', { id: 'x', url: 'http://127.0.0.1:1/mcp', description: '${READER}' }],
    ['another scheme', { id: 'x', url: 'file:///etc/passwd' }],
    ['an id that is none', { id: 'A B', url: 'http://127.0.0.1:1/mcp' }],
    ['an id that is taken', { id: 'first', url: 'http://127.0.0.1:1/mcp' }],
  ])('are refused with %s, and the file is unchanged', async (_, body) => {
    const before = await readFile(file, 'utf8');
    expect(await ask('POST', '/api/servers', body)).toMatchObject({
      status: 400,
      json: { error: { code: 'INVALID_PARAMS' } },
    });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('cannot be edited with a limited token', async () => {
    const limited = 'reader-token-of-this-test';
    for (const [method, path, body] of [
      ['POST', '/api/servers', { id: 'x', url: 'http://127.0.0.1:1/mcp' }],
      ['PATCH', '/api/servers/first', { enabled: false }],
      ['DELETE', '/api/servers/first', undefined],
    ] as const) {
      expect(await ask(method, path, body, limited)).toMatchObject({ status: 403 });
    }
    const { json } = await ask('GET', '/api/servers', undefined, limited);
    const { servers, configFile } = serversSchema.parse(json);
    expect([configFile, servers[0]?.address, servers[0]?.info]).toEqual([undefined, undefined, undefined]);
  });
});

it('a hub without a configuration file answers with how to get one', async () => {
  await using alone = await runningHub();
  const response = await fetch(`${alone.url}/api/servers`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: 'x', url: 'http://127.0.0.1:1/mcp' }),
  });
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('--config FILE');
});
