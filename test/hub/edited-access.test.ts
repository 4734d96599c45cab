// Edits of a running hub's configuration file that change access: connections whose rights have changed are ended, all
// others stay.
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostedTidings } from '../cli/hosted-tidings.ts';
import { timeLimit } from '../support/run/time-limit.ts';
import { RawStream, ask, initialize, openGet, openStream, rpcRequest, send } from '../support/wire/raw-http.ts';
import { base, supportCall } from '../vcon/workbench.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { quiet } from './quiet.ts';
import { runningHub } from './running-hub.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const env = { WHOLE: 'whole', READER: 'part', KEEPER: 'kept' };
/** The documented time within which an edit takes effect. */
const soonMs = 5000;

interface Token {
  env: string;
  allow?: string[];
  redact?: string;
}

async function edited(document: { servers: object[]; tokens?: Token[]; cors?: string[]; redactions?: object }) {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-edited-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const file = join(folder, 'servers.json');
  await writeFile(file, JSON.stringify(document));
  const args = ['up', '--port', '0', '--json', '--config', file, '--data', join(folder, 'data')];
  const hub = new HostedTidings(args, { env });
  const { url }: { url: string } = JSON.parse(await hub.line());
  const get = (path: string, headers = {}) => fetch(`${url}${path}`, { headers });
  return { hub, url, get, edit: (changes: object) => writeFile(file, JSON.stringify({ ...document, ...changes })) };
}

/** One stream of every kind, for one token. */
async function streamsOf(url: string, token: string): Promise<Map<string, RawStream>> {
  const streams = new Map<string, RawStream>();
  const events = await send(`${url}/api/mcp/resource-events`, 'GET', bearer(token));
  streams.set('events', new RawStream(events));
  for (const path of ['/mcp', '/mcp/notes']) {
    for (const era of ['modern', 'legacy'] as const) {
      streams.set(`${era} ${path}`, await openStream(`${url}${path}`, era, ['note://a'], bearer(token)));
    }
  }
  return streams;
}

/** Calls that wait for hours, in both eras. */
async function waitsOf(url: string, token: string): Promise<Map<string, { ended: boolean; text: string }>> {
  const params = { name: 'wait_for_change', arguments: { uris: ['note://a', 'note://**'], timeout_seconds: 80_000 } };
  const waits = new Map<string, { ended: boolean; text: string }>();
  for (const era of ['modern', 'legacy'] as const) {
    const session = era === 'legacy' ? await initialize(`${url}/mcp`, bearer(token)) : bearer(token);
    const { headers, body } = rpcRequest(era, 'tools/call', params);
    const wait = { ended: false, text: '' };
    waits.set(`${era} wait`, wait);
    void fetch(`${url}/mcp`, { method: 'POST', headers: { ...headers, ...session }, body: JSON.stringify(body) })
      .then(async (answer) => (wait.text = await answer.text()))
      .catch(() => undefined)
      .finally(() => (wait.ended = true));
  }
  return waits;
}

async function notesHub(tokens: Token[]) {
  const upstream = await NotesUpstream.start('modern');
  onTestFinished(() => upstream[Symbol.asyncDispose]());
  for (const name of ['a', 'b']) upstream.put(name, 'first');
  const { url: address } = upstream.entry('notes');
  const started = await edited({ servers: [{ id: 'notes', url: address, trackResources: true }], tokens });
  await eventually('the notes', async () => {
    const answer = await started.get('/resources/note%3A%2F%2Fa', bearer('kept'));
    return answer.status === 200;
  });
  return { ...started, upstream };
}

const kept = { env: 'KEEPER' };
/** The acknowledgement names the resource as well. */
const told = ({ text }: { text: string }) => /"(uri|resourceUri)":"note:\/\/a"/.test(text);

describe('an edit of the tokens', () => {
  it('ends every stream and session of a removed token, and no others', async () => {
    const { url, edit, get, upstream } = await notesHub([{ env: 'WHOLE' }, kept]);
    const gone = await streamsOf(url, 'whole');
    const accept = { accept: 'text/event-stream' };
    const transcript = await send(`${url}/api/sessions/transcript/transcript`, 'GET', {
      ...bearer('whole'),
      ...accept,
    });
    gone.set('transcript', new RawStream(transcript));
    const session = await initialize(`${url}/mcp`, bearer('whole'));
    const others = await streamsOf(url, 'kept');
    const waits = await waitsOf(url, 'whole');
    await edit({ tokens: [kept] });
    for (const [name, stream] of [...gone, ...waits])
      await eventually(`the end of ${name}`, () => stream.ended, timeLimit(soonMs));
    upstream.put('a', 'second');
    for (const [name, stream] of others) await eventually(`news on ${name}`, () => told(stream));
    for (const [name, stream] of [...gone, ...waits]) expect(told(stream), name).toBe(false);
    expect((await get('/api/servers', bearer('whole'))).status).toBe(401);
    expect((await ask(`${url}/mcp`, 'legacy', 'resources/list', {}, session)).status).toBe(401);
    // The session has ended, so another token cannot open it either.
    const borrowed = { ...session, ...bearer('kept') };
    expect((await ask(`${url}/mcp`, 'legacy', 'resources/list', {}, borrowed)).status).toBe(404);
  });

  it('restricts a token: its streams end, and new ones show only its remaining resources', async () => {
    const { url, edit, upstream } = await notesHub([{ env: 'READER', allow: ['note://**'] }, kept]);
    const wide = await streamsOf(url, 'part');
    const session = await initialize(`${url}/mcp`, bearer('part'));
    await ask(`${url}/mcp`, 'legacy', 'resources/subscribe', { uri: 'note://a' }, session);
    const waits = await waitsOf(url, 'part');
    await edit({ tokens: [{ env: 'READER', allow: ['note://b'] }, kept] });
    for (const [name, stream] of [...wide, ...waits])
      await eventually(`the end of ${name}`, () => stream.ended, timeLimit(soonMs));
    const narrow = await send(`${url}/api/mcp/resource-events`, 'GET', bearer('part')).then(
      (res) => new RawStream(res),
    );
    const listen = await openStream(`${url}/mcp`, 'modern', ['note://a', 'note://b'], bearer('part'));
    expect(listen.text).not.toContain('note://a');
    // A session continues with the token's present rights; the first update that it may no longer see ends it without
    // being sent.
    const resumed = await openGet(`${url}/mcp`, session);
    upstream.put('a', 'second');
    upstream.put('b', 'second');
    await eventually('news', () => narrow.text.includes('note://b') && listen.updates.includes('note://b'));
    await eventually('the end of the session', () => resumed.ended);
    for (const stream of [...wide.values(), ...waits.values(), narrow, listen, resumed])
      expect(told(stream)).toBe(false);
    const read = await ask(`${url}/mcp`, 'modern', 'resources/read', { uri: 'note://a' }, bearer('part'));
    expect(read.message.error?.data).toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('ends the streams of callers without a token once there is one', async () => {
    const { url, edit } = await notesHub([]);
    const streams = await streamsOf(url, 'none');
    await edit({ tokens: [kept] });
    for (const [name, stream] of streams) await eventually(`the end of ${name}`, () => stream.ended, timeLimit(soonMs));
  });

  it('causes no list change if only limits change', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'first');
    const servers = [upstream.entry('notes')];
    await using hub = await runningHub({ servers, config: { tokens: [kept] }, env });
    await hub.isLive('notes');
    const client = await hub.connect('modern', '/mcp', 'kept');
    await client.subscribe('note://a');
    const listChanges = () => client.listChanges.length;
    const tokens = [{ ...kept, limits: { streams: 100 }, mentionChanges: false }];
    // Definitions and lists that became known during the connection may still be announced.
    const [before = 0] = await quiet(() => [listChanges()]);
    hub.hub.apply({ servers, tokens });
    upstream.put('a', 'second');
    await eventually('an update, which comes later', () => client.updates.length > 0);
    expect(listChanges()).toBe(before);
    hub.hub.apply({ servers, tokens: [...tokens, { env: 'READER' }] });
    await eventually('word of other access', () => listChanges() > before);
    await client.close();
  });

  it('is refused if a token has no value or a redaction is unknown, and the old configuration stays in force', async () => {
    const { hub, get, edit } = await notesHub([kept]);
    await edit({ tokens: [{ env: 'NOT_THERE' }] });
    await eventually('a word', () => hub.stderr.includes('tokens[0]: env: the environment has no NOT_THERE.'));
    await edit({ tokens: [kept, { env: 'READER', redact: 'wishful' }] });
    await eventually('a word', () => hub.stderr.includes('tokens[1]: redact: There is no redaction "wishful".'));
    await edit({ tokens: [kept], redactions: { strict: { drops: [] } } });
    await eventually('a word', () => hub.stderr.includes('servers.json: redactions.strict: '));
    expect((await get('/api/servers', bearer('kept'))).status).toBe(200);
    expect((await get('/api/servers', bearer('part'))).status).toBe(401);
  });
});

describe('an edit of the allowed origins', () => {
  it('takes effect on every route', async () => {
    const { url, edit } = await edited({ servers: [], cors: ['https://friend.example'] });
    const { headers, body } = { headers: { 'content-type': 'application/json' }, body: '{}' };
    const from = async (origin: string) => {
      const api = await fetch(`${url}/api/servers`, { headers: { origin } });
      const mcp = await fetch(`${url}/mcp`, { method: 'POST', headers: { ...headers, origin }, body });
      return [api.status, api.headers.get('access-control-allow-origin'), mcp.status === 403];
    };
    expect(await from('https://friend.example')).toEqual([200, 'https://friend.example', false]);
    await edit({ cors: ['https://other.example'] });
    await eventually('it', async () => (await from('https://other.example'))[0] === 200, timeLimit(soonMs));
    expect(await from('https://other.example')).toEqual([200, 'https://other.example', false]);
    expect(await from('https://friend.example')).toEqual([403, null, true]);
  });
});

describe('an edit of a redaction', () => {
  it('applies to the next read, and ends the streams of the tokens with it', async () => {
    const strict = { env: 'READER', redact: 'strict' };
    const { url, get, edit } = await edited({
      servers: [{ id: 'vcon', builtin: 'vcon', trackResources: true }],
      tokens: [strict, kept],
      redactions: { strict: { drop: ['tel'], mask: [] } },
    });
    // A call waits a few seconds for a server that is not connected yet, which may not be enough on a busy machine.
    await eventually('vcon to be live', async () =>
      (await (await get('/api/servers', bearer('kept'))).text()).includes('"state":"live"'),
    );
    const create = { name: 'vcon_create_vcon', arguments: supportCall };
    await ask(`${url}/mcp`, 'modern', 'tools/call', create, bearer('kept'));
    const path = `/resources/${encodeURIComponent(`${base}/${supportCall.uuid}`)}`;
    const read = async (token: string) => (await get(path, bearer(token))).text();
    const [name, tel] = ['John Doe', '+1-555-1234'];
    expect(await read('part')).toContain(name);
    expect(await read('part')).not.toContain(tel);
    const stream = await openStream(`${url}/mcp`, 'modern', [`${base}/${supportCall.uuid}`], bearer('part'));
    const other = await openStream(`${url}/mcp`, 'modern', [`${base}/${supportCall.uuid}`], bearer('kept'));
    await edit({ redactions: { strict: { drop: ['tel', 'name'], mask: [] } } });
    await eventually('the end of its stream', () => stream.ended, timeLimit(soonMs));
    expect(await read('part')).not.toContain(name);
    expect(await read('kept')).toContain(name);
    expect(other.ended).toBe(false);
  });
});
