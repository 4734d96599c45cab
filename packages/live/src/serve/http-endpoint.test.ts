import { type IncomingMessage, createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/client';
import { afterEach, expect, it } from 'vitest';
import type { ObservedRequest } from '../definition/observe.ts';
import { LiveError } from '../base/error.ts';
import { liveServer } from '../live-server.ts';
import type { HeldKind } from '../quota/quotas.ts';
import { SubjectQuotas } from '../quota/subject-quotas.ts';
import { FakeClock, connectHttp, eventually } from '../testing.ts';
import { httpEndpoint, serveHttp } from './http.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import { serveMemory } from './memory.ts';

const log = { warn: () => undefined, error: () => undefined };
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function notes(options = {}) {
  const server = liveServer({ name: 'notes', version: '1.0.0', log, ...options });
  server.resource('note://{name}', { read: ({ name }) => name });
  return server;
}

async function serve(options: EndpointOptions) {
  const running = await serveHttp(notes(), options);
  closing.push(running.close);
  return running;
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const ping = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = (url: string) => fetch(url, { method: 'POST', headers, body: initialize });

it.each([
  ['throws', () => Promise.reject(new Error('bad signature'))],
  ['returns nothing', () => undefined],
])('answers 401 with a challenge when authenticate %s', async (_what, authenticate) => {
  const { url } = await serve({ authenticate, challenge: 'Bearer realm="notes"' });
  const response = await post(url);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="notes"');
  expect(await response.text()).not.toContain('bad signature');
});

it('admits no request that was still being received when it closed', async () => {
  let admit: () => void = () => undefined;
  const admitted = new Promise<void>((resolve) => {
    admit = resolve;
  });
  let isAsked = false;
  const running = await serve({
    authenticate: async () => {
      isAsked = true;
      await admitted;
      return { subject: 'late' };
    },
  });
  const answer = post(running.url);
  await eventually('the question', () => isAsked);
  const closed = running.endpoint.close();
  admit();
  expect((await answer).status).toBe(503);
  await closed;
  expect(running.endpoint.open).toEqual({ streams: 0, sessions: 0 });
});

it('takes a body that a framework has parsed already', async () => {
  const endpoint = httpEndpoint(notes());
  const server = createServer((req: IncomingMessage & { body?: unknown }, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => {
      if (text) req.body = JSON.parse(text);
      void endpoint.handle(req, res);
    });
    if (req.method === 'GET') req.resume();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    await endpoint.close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const client = await connectHttp(
    `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    'modern',
  );
  expect(await client.read('note://hello')).toBe('hello');
  await client.close();
});

it('forgets a subscription that was cancelled before it was permitted', async () => {
  let allow: ((value: boolean) => void) | undefined;
  const server = notes({ authorize: () => new Promise<boolean>((resolve) => (allow = resolve)) });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(serveMemory(server));
  const before = server.stats().watched;
  const subscribing = client.subscribeResource({ uri: 'note://a' });
  const answer = await eventually('the question', () => allow);
  await client.unsubscribeResource({ uri: 'note://a' });
  answer(true);
  await subscribing;
  expect(server.stats().watched).toBe(before);
  await client.close();
});

it('ends the sessions of an invalid credential, and no others', async () => {
  const running = await serve({ authenticate: ({ headers: { authorization = '' } }) => ({ subject: authorization }) });
  const [gone, stays] = await Promise.all(
    ['gone', 'stays'].map((authorization) => connectHttp(running.url, 'legacy', { authorization })),
  );
  await gone?.subscribe('note://a');
  await running.endpoint.endSessions((auth) => auth?.subject === 'gone');
  expect(running.endpoint.open.sessions).toBe(1);
  await expect(gone?.read('note://a')).rejects.toThrow('Session not found');
  expect(await stays?.read('note://a')).toBe('a');
  await stays?.close();
});

it.each(['clientInfo', 'capabilities'])('opens no session for a client with too large %s', async (where) => {
  const running = await serveHttp(notes());
  closing.push(running.close);
  const much = 'x'.repeat(100_000);
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: where === 'capabilities' ? { experimental: { much: { much } } } : {},
    clientInfo: { name: where === 'clientInfo' ? much : 'test', version: '1' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const answer = await fetch(running.url, { method: 'POST', headers, body });
  expect(await answer.json()).toMatchObject({ id: 1, error: { data: { code: 'LIMIT_EXCEEDED' } } });
  expect(running.endpoint.open.sessions).toBe(0);
});

it('ends a session that was idle for a minute if its caller needs another', async () => {
  const clock = new FakeClock();
  const infinite = Number.POSITIVE_INFINITY;
  const limits = { streams: infinite, watchedUris: infinite, watchedCharacters: infinite, requestsInFlight: infinite };
  const quotas = new SubjectQuotas<HeldKind>({
    clock,
    totals: { ...limits, sessions: infinite },
    limitsOf: () => ({ ...limits, sessions: 2, requestsPerSecond: infinite }),
    subjects: () => [],
  });
  const running = await serveHttp(notes({ clock, quotas }), { authenticate: () => ({ subject: 'ann' }) });
  closing.push(running.close);
  const [first, second] = [await post(running.url), await post(running.url)];
  clock.advance(59_000);
  expect(await (await post(running.url)).text()).toContain('Your quota of sessions is 2');
  const use = (id: string | null) =>
    fetch(running.url, { method: 'POST', headers: { ...headers, 'mcp-session-id': id ?? '' }, body: ping });
  await use(first.headers.get('mcp-session-id'));
  clock.advance(1000);
  expect((await post(running.url)).headers.get('mcp-session-id')).not.toBeNull();
  expect((await use(first.headers.get('mcp-session-id'))).status).toBe(200);
  expect((await use(second.headers.get('mcp-session-id'))).status).toBe(404);
});

it('evaluates the allowed origins at each request if they are a function', async () => {
  let origins = ['https://friend.example'];
  const { url } = await serve({ allowedOrigins: () => origins });
  const from = (origin: string) =>
    fetch(url, { method: 'POST', headers: { ...headers, origin: `https://${origin}` }, body: initialize });
  expect((await from('friend.example')).status).toBe(200);
  expect((await from('other.example')).status).toBe(403);
  origins = ['https://other.example'];
  expect((await from('friend.example')).status).toBe(403);
  expect((await from('other.example')).status).toBe(200);
});

it('treats a page as its own only if scheme, host and port are those of the request', async () => {
  const { url } = await serve({ allowedOrigins: ['https://friend.example:8443'] });
  const { origin: own, port } = new URL(url);
  const status = async (origin: string) =>
    (await fetch(url, { method: 'POST', headers: { ...headers, origin }, body: initialize })).status;
  for (const origin of [own, 'https://friend.example:8443']) expect(await status(origin), origin).toBe(200);
  const foreign = [
    'http://127.0.0.1:9999',
    `http://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    'https://friend.example',
  ];
  for (const origin of [...foreign, 'null', 'x']) expect(await status(origin), origin).toBe(403);
});

it('detects TLS of a client from the headers of a proxy', async () => {
  const isTls: EndpointOptions['isTls'] = (req) => req.headers['x-forwarded-proto'] === 'https';
  const { url } = await serve({ isTls });
  const from = (origin: string, forwarded: string) => {
    const extra = { origin, 'x-forwarded-proto': forwarded };
    return fetch(url, { method: 'POST', headers: { ...headers, ...extra }, body: initialize });
  };
  const { host } = new URL(url);
  expect((await from(`https://${host}`, 'https')).status).toBe(200);
  expect((await from(`http://${host}`, 'https')).status).toBe(403);
  expect((await from(`https://${host}`, 'http')).status).toBe(403);
});

it('refuses a host name in the list of origins at its creation', () => {
  expect(() => httpEndpoint(notes(), { allowedOrigins: ['friend.example'] })).toThrow('https://example.com:8443');
});

it.each(['modern', 'legacy'] as const)('reports responses above the quota to the observer (%s)', async (era) => {
  const server = notes();
  server.tool('large', {}, () => 'x'.repeat(100_000));
  const codes: (string | undefined)[] = [];
  const room = () => {
    throw new LiveError('LIMIT_EXCEEDED', 'Read what was sent first.');
  };
  const observe = ({ method, code }: ObservedRequest) => {
    if (method === 'tools/call') codes.push(code);
  };
  const running = await serveHttp(server, { room, observe });
  closing.push(running.close);
  const client = await connectHttp(running.url, era);
  await expect(client.call('large')).rejects.toThrow('Read what was sent first.');
  expect(codes).toEqual([undefined, 'LIMIT_EXCEEDED']);
  await client.close();
});

it('keeps nothing of a session that could not be opened, and reports its request', async () => {
  const ten = { sessions: 10, streams: 10, watchedUris: 10, watchedCharacters: 10, requestsInFlight: 10 };
  const quotas = new SubjectQuotas<HeldKind>({
    clock: new FakeClock(),
    totals: ten,
    limitsOf: () => ({ ...ten, requestsPerSecond: 1000 }),
    subjects: () => [],
  });
  const server = notes({
    quotas,
    instructions: () => {
      throw new Error('no instructions');
    },
  });
  const seen: ObservedRequest[] = [];
  const running = await serveHttp(server, { observe: (request) => seen.push(request) });
  closing.push(running.close);
  const response = await post(running.url);
  expect(await response.json()).toMatchObject({ id: 1, error: { data: { code: 'INTERNAL' } } });
  expect(seen).toMatchObject([{ method: 'initialize', code: 'INTERNAL', caller: { era: 'legacy' } }]);
  expect([quotas.used('', 'sessions'), server.stats().subscribers, running.endpoint.open.sessions]).toEqual([0, 0, 0]);
});
