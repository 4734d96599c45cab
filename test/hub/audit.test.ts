// Requests on every way into the hub are recorded in the audit log, with principal, request and outcome.
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditRecord } from '../../packages/hub/src/audit/audit-log.ts';
import { send } from '../support/wire/raw-http.ts';
import { ScriptedIssuer } from '../support/counterpart/scripted-issuer.ts';
import { SseClient } from '../support/wire/sse-client.ts';
import { definitionsSchema } from '../support/wire/strict-answers.ts';
import { DefinedServer } from '../support/defined-server.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, type RunningHubOptions, runningHub } from './running-hub.ts';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const json = { 'Content-Type': 'application/json' };

interface AuditedHub extends RunningHub {
  /**
   * Waits until `has` is true: a request is recorded when its response has ended in the hub, which its client may see
   * earlier.
   */
  records(has?: (records: AuditRecord[]) => boolean): Promise<AuditRecord[]>;
}

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-audit-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

async function recordsIn(place: string): Promise<AuditRecord[]> {
  const names = await readdir(join(place, 'audit')).catch(() => []);
  const texts = await Promise.all(
    names.toSorted((a, b) => a.localeCompare(b)).map((name) => readFile(join(place, 'audit', name), 'utf8')),
  );
  return texts
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

async function auditedHub(config: RunningHubOptions['config'] = {}): Promise<AuditedHub> {
  const upstream = await NotesUpstream.start('modern');
  upstream.put('a', 'for all');
  upstream.put('b', 'not for the reader');
  const place = await freshFolder();
  const hub = await runningHub({
    servers: [upstream.entry('notes')],
    config: { tokens: [{ env: 'READER', allow: ['note://a*'] }], ...config },
    token: 'whole',
    env: { READER: 'part' },
    place,
  });
  await hub.isLive('notes');
  return {
    ...hub,
    records: (has = () => true) =>
      eventually('the records', async () => {
        await hub.hub.audit.flush();
        const records = await recordsIn(place);
        return has(records) && records;
      }),
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** Sends this path as it is; `fetch` would normalise it. */
function statusOf(url: string, path: string, token: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: bearer(token), agent: false }, (res) => {
      res.resume();
      res.once('end', () => resolve(res.statusCode));
    });
    sent.once('error', reject).end();
  });
}

describe('the audit log', () => {
  it.each(['modern', 'legacy'] as const)('records the MCP requests of each token, %s', async (era) => {
    await using hub = await auditedHub();
    for (const [path, server] of [
      ['/mcp', undefined],
      ['/mcp/notes', 'notes'],
    ] as const) {
      const before = (await hub.records()).length;
      const whole = await hub.connect(era, path, 'whole');
      const part = await hub.connect(era, path, 'part');
      await whole.read('note://b');
      await part.read('note://a');
      await part.read('note://b').catch(() => undefined);
      const tool = server === undefined ? 'notes_put_note' : 'put_note';
      await whole.call(tool, { name: 'a', text: 'my words' });
      await part.call(tool, { name: 'a', text: 'my words' }).catch(() => undefined);
      await whole.subscribe('note://a');
      const asked = new Set(['resources/read', 'tools/call', 'resources/subscribe', 'subscriptions/listen']);
      const isComplete = (all: AuditRecord[]) =>
        all.slice(before).filter(({ method }) => asked.has(method)).length >= 6;
      const records = (await hub.records(isComplete)).slice(before);
      const about = {
        ...(server && { server }),
        address: '127.0.0.1',
        client: expect.stringMatching(/^.+\/.+$/),
        ms: expect.any(Number),
      };
      const find = (who: string, method: string) =>
        records.filter((each) => each.who === who && each.method === method);
      expect(find('token', 'resources/read')).toMatchObject([{ ...about, uri: 'note://b', outcome: 'ok' }]);
      expect(find('READER', 'resources/read')).toMatchObject([
        { ...about, uri: 'note://a', outcome: 'ok' },
        { ...about, uri: 'note://b', outcome: expect.stringMatching(/refused|error/), code: expect.any(String) },
      ]);
      expect(find('token', 'tools/call')).toMatchObject([{ ...about, name: tool, outcome: 'ok' }]);
      expect(find('READER', 'tools/call')).toMatchObject([{ ...about, name: tool, outcome: 'refused' }]);
      const listening =
        era === 'modern'
          ? find('token', 'subscriptions/listen').map(({ uris }) => uris)
          : find('token', 'resources/subscribe').map(({ uri }) => [uri]);
      expect(listening).toEqual([['note://a']]);
      expect(JSON.stringify(records)).not.toMatch(/my words|whole|"part"/);
      await whole.close();
      await part.close();
    }
  });

  it('records the hooks of hosts, without their input', async () => {
    await using hub = await auditedHub();
    const body = JSON.stringify({ session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'my secret' });
    await fetch(`${hub.url}/hooks/codex`, { method: 'POST', headers: { ...bearer('part'), ...json }, body });
    const isHook = ({ method }: AuditRecord) => method === 'POST /hooks/codex';
    const records = await hub.records((all) => all.some(isHook));
    expect(records.find(isHook)).toMatchObject({ who: 'READER', outcome: 'ok' });
    expect(JSON.stringify(records)).not.toContain('secret');
  });

  it('records requests to the bridge, the API and the event stream', async () => {
    await using hub = await auditedHub();
    await hub.get('/resources/note%3A%2F%2Fa', bearer('part'));
    await hub.get('/resources/note%3A%2F%2Fb', bearer('part'));
    await hub.get('/api/servers', bearer('whole'));
    await fetch(`${hub.url}/api/servers/notes`, {
      method: 'PATCH',
      headers: { ...bearer('part'), ...json },
      body: '{"tracked":false}',
    });
    const session = JSON.stringify({ kind: 'transcript' });
    await fetch(`${hub.url}/api/sessions`, { method: 'POST', headers: { ...bearer('whole'), ...json }, body: session });
    await fetch(`${hub.url}/api/sessions/x`, { method: 'DELETE', headers: bearer('whole') });
    const events = await SseClient.open(`${hub.url}/api/mcp/resource-events`, bearer('part'));
    await hub.get('/', bearer('whole'));
    await hub.get('/healthz');
    const seen = await eventually('all of them', async () => {
      const records = (await hub.records()).map(({ who, method, uri, outcome, code }) =>
        [who, method, uri, outcome, code].filter(Boolean).join(' '),
      );
      return records.length >= 7 && records;
    });
    // In any order: a request is recorded when it has been answered.
    expect(seen).toHaveLength(7);
    expect(seen).toEqual(
      expect.arrayContaining([
        'READER GET /resources note://a ok',
        'READER GET /resources note://b refused PERMISSION_DENIED',
        'token GET /api/servers ok',
        'READER PATCH /api/servers/notes refused PERMISSION_DENIED',
        expect.stringMatching(/^token POST \/api\/sessions /),
        expect.stringMatching(/^token DELETE \/api\/sessions\/x /),
        'READER GET /api/mcp/resource-events ok',
      ]),
    );
    events.close();
  });

  it('records a request whose client leaves while its response waits behind a stream', async () => {
    await using hub = await auditedHub();
    const { host, hostname, port } = new URL(hub.url);
    const socket = connect(Number(port), hostname);
    const body = '{"tracked":false}';
    const headers = [`Host: ${host}`, 'Authorization: Bearer whole'];
    const requests = [
      ['GET /api/mcp/resource-events HTTP/1.1', ...headers, '', ''],
      ['PATCH /api/servers/notes HTTP/1.1', ...headers, 'Content-Type: application/json'],
      [`Content-Length: ${body.length}`, '', body],
    ];
    socket.write(
      requests
        .map((lines) => lines.join('\r\n'))
        .join('\r\n')
        .replace('\r\n\r\n\r\n', '\r\n\r\n'),
    );
    await eventually('the change', () => hub.status('notes')?.tracked === false);
    socket.destroy();
    const isRecorded = ({ who, method }: AuditRecord) => who === 'token' && method === 'PATCH /api/servers/notes';
    await hub.records((records) => records.some(isRecorded));
  });

  it('records a request whose client leaves before it was sent completely', async () => {
    await using hub = await auditedHub();
    const { host, hostname, port } = new URL(hub.url);
    const socket = connect(Number(port), hostname);
    const headers = [`Host: ${host}`, 'Authorization: Bearer whole', 'Content-Type: application/json'];
    const rest = ['Content-Length: 100', 'Expect: 100-continue', '', '{'];
    socket.write(['POST /api/sessions HTTP/1.1', ...headers, ...rest].join('\r\n'));
    await once(socket, 'data');
    socket.destroy();
    const isIt = ({ method }: AuditRecord) => method === 'POST /api/sessions';
    const records = await hub.records((all) => all.some(isIt));
    expect(records.filter(isIt)).toMatchObject([{ who: 'token', outcome: 'error' }]);
  });

  it('records the requested resource, however its URL is spelled', async () => {
    await using hub = await auditedHub();
    const { host } = new URL(hub.url);
    const escaped = 'note%3A%2F%2Fa';
    const targets = [
      `/resources/${escaped}`,
      `/x/../resources/${escaped}`,
      `/x/%2e%2e/resources/${escaped}`,
      `http://${host}/resources/${escaped}`,
      '/resources/note://a',
    ];
    for (const target of targets) expect(await statusOf(hub.url, target, 'part'), target).toBe(200);
    expect(await statusOf(hub.url, `/%72esources/${escaped}`, 'part')).toBe(404);
    const read = await eventually('all of them', async () => {
      const records = (await hub.records()).filter(({ method }) => method === 'GET /resources');
      return records.length >= targets.length && records;
    });
    expect(read.map(({ who, uri }) => [who, uri])).toEqual(targets.map(() => ['READER', 'note://a']));
  });

  it('records the same code for a failure on every transport', async () => {
    await using hub = await auditedHub();
    const part = await hub.connect('modern', '/mcp', 'part');
    for (const uri of ['note://b', 'note://a-none', 'nowhere://x']) {
      await part.read(uri).catch(() => undefined);
      await hub.get(`/resources/${encodeURIComponent(uri)}`, bearer('part'));
    }
    await part.call('no_such_tool', {}).catch(() => undefined);
    await part.close();
    // A request over HTTP is recorded once its connection is released.
    const failed = await eventually('all of them', async () => {
      const records = (await hub.records()).filter(({ outcome }) => outcome !== 'ok');
      return records.length >= 7 && records.map((each) => [each.method, each.uri, each.outcome, each.code].join(' '));
    });
    expect(new Set(failed)).toEqual(
      new Set([
        'resources/read note://b refused PERMISSION_DENIED',
        'GET /resources note://b refused PERMISSION_DENIED',
        'resources/read note://a-none error RESOURCE_NOT_FOUND',
        'GET /resources note://a-none error RESOURCE_NOT_FOUND',
        'resources/read nowhere://x refused PERMISSION_DENIED',
        'GET /resources nowhere://x refused PERMISSION_DENIED',
        'tools/call  refused PERMISSION_DENIED',
      ]),
    );
  });

  it('records logins, logouts, wrong tokens and pages of other origins', async () => {
    await using hub = await auditedHub();
    const logIn = (token: string) => {
      const body = new URLSearchParams({ token });
      return fetch(`${hub.url}/login`, { method: 'POST', body, redirect: 'manual' });
    };
    await logIn('wrong-one');
    const cookie = (await logIn('whole')).headers.get('set-cookie')?.split(';')[0] ?? '';
    await fetch(`${hub.url}/logout`, { method: 'POST', headers: { Cookie: cookie, ...json } });
    await hub.get('/api/servers', bearer('wrong-two'));
    await hub.get('/api/servers', { ...bearer('whole'), Origin: 'http://localhost:9999' });
    await (await send(`${hub.url}/api/demo`, 'POST', bearer('whole'))).toArray();
    const records = await hub.records(({ length }) => length >= 6);
    expect(records.map(({ who, method, outcome, code }) => [who, method, outcome, code ?? ''])).toEqual([
      ['-', 'login', 'refused', 'WRONG_TOKEN'],
      ['token', 'login', 'ok', ''],
      ['token', 'logout', 'ok', ''],
      ['-', 'GET /api/servers', 'refused', 'PERMISSION_DENIED'],
      ['-', 'GET /api/servers', 'refused', 'PERMISSION_DENIED'],
      ['token', 'POST /api/demo', 'refused', 'UNSUPPORTED_MEDIA_TYPE'],
    ]);
    expect(records.every(({ address }) => address === '127.0.0.1')).toBe(true);
    expect(JSON.stringify(records)).not.toMatch(/wrong-|whole/);
  });

  it('names the owner of a genuine access token that grants nothing, in a few records', async () => {
    await using issuer = await ScriptedIssuer.start();
    const audience = 'https://tidings.example.com/mcp';
    const grants = [{ scope: 'notes:read' }];
    await using hub = await auditedHub({ oauth: { issuers: [{ issuer: issuer.issuer, audience, grants }] } });
    const token = await issuer.token({ aud: audience, scope: 'other' });
    for (let n = 0; n < 50; n += 1) expect((await hub.get('/api/servers', bearer(token))).status).toBe(403);
    const isAdas = ({ who }: AuditRecord) => who === `${issuer.issuer}#ada`;
    const records = await hub.records((all) => all.some(isAdas));
    expect(records.find(isAdas)).toMatchObject({ outcome: 'refused', code: 'PERMISSION_DENIED' });
    expect(records.filter(isAdas).length).toBeLessThan(20);
  });

  it('records arguments only if configured, and without secrets', async () => {
    await using hub = await auditedHub({ audit: { arguments: true, megabytes: 10, files: 10, rows: 1000 } });
    const client = await hub.connect('modern', '/mcp', 'whole');
    await client.call('notes_put_note', { name: 'a', text: 'my words', password: 'hunter2' });
    const isCall = ({ method }: AuditRecord) => method === 'tools/call';
    const record = (await hub.records((records) => records.some(isCall))).find(isCall);
    expect(record?.arguments).toEqual({ name: 'a', text: 'my words', password: '…' });
    await client.close();
  });

  it('records edits of the configuration, by names only', async () => {
    await using hub = await auditedHub();
    const { config } = hub.hub.tracker;
    hub.hub.apply({ ...config, tokens: [{ env: 'OTHER' }], cors: ['https://friend.example'] });
    const isEdit = ({ method }: AuditRecord) => method === 'configuration';
    expect((await hub.records((records) => records.some(isEdit))).findLast(isEdit)).toMatchObject({
      outcome: 'ok',
      detail: 'tokens +OTHER -READER; cors',
    });
  });

  it('records agreements to definitions, with the principal', async () => {
    await using server = await DefinedServer.start({ tools: { add: 'Adds.' } });
    const place = await freshFolder();
    await using hub = await runningHub({ servers: [server.entry('calc', { pin: true })], token: 'whole', place });
    await eventually('it to be read', () => hub.hub.tracker.find('calc')?.definitions.offered('tools')?.length === 1);
    server.define({ tools: { add: 'Subtracts.' } });
    await eventually('it to be held', () => hub.status('calc')?.held === 1);
    const path = '/api/servers/calc/definitions';
    const { held } = definitionsSchema.parse(await hub.json(path, bearer('whole')));
    const definitions = held.map(({ kind, name, hash }) => ({ kind, name, hash }));
    await fetch(`${hub.url}/api/servers/calc/trust`, {
      method: 'POST',
      headers: { ...bearer('whole'), ...json },
      body: JSON.stringify({ definitions }),
    });
    const trusted = await eventually('its record', async () => {
      await hub.hub.audit.flush();
      const records = (await recordsIn(place)).filter(({ method }) => method === 'trust');
      return records.length > 0 && records;
    });
    expect(trusted).toMatchObject([
      { who: 'token', server: 'calc', outcome: 'ok', detail: expect.stringMatching(/^tool add \S{12}$/) },
    ]);
  });

  it('records nothing if it is switched off', async () => {
    await using hub = await auditedHub({ audit: false });
    await hub.get('/api/servers', bearer('whole'));
    expect(await hub.records()).toEqual([]);
  });
});
