// One principal uses up each of its quotas in turn, on every way. The error names the quota and the time of the next
// attempt; another principal and the health check are not affected.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { errorCodes } from '@tidings/live';
import { eventually, told } from '@tidings/live/testing';
import type { Config } from '@tidings/track';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  type RawAnswer,
  ask,
  initialize,
  openGet,
  openListen,
  openStream,
  post,
  rpcRequest,
  send,
} from '../support/wire/raw-http.ts';
import { type HubWithNotes, hubWithNotes } from './hub-with-notes.ts';
import { runningHub } from './running-hub.ts';

const greedy = { authorization: 'Bearer greedy' };
const other = { authorization: 'Bearer other' };
const address = 'ws://127.0.0.1:9/realtime';

function hubWith(limits: Config['tokens'][number]['limits']): Promise<HubWithNotes> {
  return hubWithNotes({
    config: { tokens: [{ env: 'GREEDY', limits }, { env: 'OTHER' }], realtime: [address] },
    env: { GREEDY: 'greedy', OTHER: 'other', KEY: 'secret' },
  });
}

/** Refused with HTTP 200 and a JSON-RPC error with the request's id, as all MCP errors. */
function expectRefused({ status, message, headers }: RawAnswer, quota: string): void {
  expect(status).toBe(200);
  expect(message.error).toMatchObject({ code: errorCodes.LIMIT_EXCEEDED.rpc, data: { code: 'LIMIT_EXCEEDED' } });
  expect(message.error?.message).toContain(`quota of ${quota} is `);
  expect(message.error?.message).toMatch(/try again in \d+ s\.$/);
  expect(Number(headers['retry-after'])).toBe(message.error?.data?.['retryAfter']);
}

async function expect429(answer: Response, quota: string): Promise<void> {
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({
    error: { code: 'LIMIT_EXCEEDED', message: expect.stringContaining(`quota of ${quota} is `) },
  });
}

/** Another principal reads, subscribes in both eras, and is notified; the hub is alive. */
async function expectOthersServed({ hub, upstream }: HubWithNotes): Promise<void> {
  expect((await hub.get('/healthz')).status).toBe(200);
  expect((await hub.get('/resources/note%3A%2F%2Fa', other)).status).toBe(200);
  const clients = [await hub.connect('modern', '/mcp', 'other'), await hub.connect('legacy', '/mcp', 'other')];
  for (const client of clients) await client.subscribe('note://b');
  upstream.put('b', `at ${performance.now()}`);
  for (const client of clients) {
    await told(client, 'note://b');
    await client.close();
  }
}

describe('a principal that uses up its quota of', () => {
  it('sessions', async () => {
    await using notes = await hubWith({ sessions: 3 });
    const { hub } = notes;
    const sessions = [];
    for (const path of ['/mcp', '/mcp/notes', '/mcp']) sessions.push(await initialize(`${hub.url}${path}`, greedy));
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const again = () => ask(`${hub.url}/mcp`, 'legacy', 'initialize', params, greedy);
    expectRefused(await again(), 'sessions');
    await expectOthersServed(notes);
    await fetch(`${hub.url}/mcp`, { method: 'DELETE', headers: { ...greedy, ...sessions[0] } });
    await eventually('room for a session', async () => (await again()).message.result !== undefined);
  });

  it('streams', async () => {
    await using notes = await hubWith({ streams: 3 });
    const { hub } = notes;
    const listening = await openStream(`${hub.url}/mcp`, 'modern', ['note://a'], greedy);
    const session = await initialize(`${hub.url}/mcp/notes`, greedy);
    const got = await openGet(`${hub.url}/mcp/notes`, session);
    const events = await send(`${hub.url}/api/mcp/resource-events`, 'GET', greedy);
    expect([got.res.statusCode, events.statusCode]).toEqual([200, 200]);
    const filter = { notifications: { resourceSubscriptions: ['note://a'] } };
    expectRefused(await ask(`${hub.url}/mcp`, 'modern', 'subscriptions/listen', filter, greedy), 'streams');
    await expect429(await hub.get('/api/mcp/resource-events', greedy), 'streams');
    await expect429(
      await hub.get('/api/sessions/transcript/transcript', { ...greedy, accept: 'text/event-stream' }),
      'streams',
    );
    // A replacement stream is not counted.
    expect((await openGet(`${hub.url}/mcp/notes`, session)).res.statusCode).toBe(200);
    await expectOthersServed(notes);
    listening.destroy();
    await eventually('room for a stream', async () => {
      const answer = await send(`${hub.url}/api/mcp/resource-events`, 'GET', greedy);
      return answer.statusCode === 200;
    });
  });

  it('watched URIs', async () => {
    await using notes = await hubWith({ watchedUris: 5 });
    const { hub } = notes;
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `note://${name}`);
    const listening = await openStream(`${hub.url}/mcp`, 'modern', names.slice(0, 4), greedy);
    const session = await initialize(`${hub.url}/mcp`, greedy);
    const subscribe = (uri: string) => ask(`${hub.url}/mcp`, 'legacy', 'resources/subscribe', { uri }, session);
    expect((await subscribe('note://e')).message.result).toBeDefined();
    // The 2025 era answers on a stream, which has no place for the header.
    expect((await subscribe('note://f')).message.error).toMatchObject({
      message: expect.stringContaining('quota of watchedUris is 5, of which 5 are in use'),
      data: { code: 'LIMIT_EXCEEDED', retryAfter: expect.any(Number) },
    });
    const filter = { notifications: { resourceSubscriptions: ['note://f'] } };
    expectRefused(await ask(`${hub.url}/mcp`, 'modern', 'subscriptions/listen', filter, greedy), 'watchedUris');
    await expectOthersServed(notes);
    listening.destroy();
    await eventually('room for a URI', async () => (await subscribe('note://f')).message.result !== undefined);
    await ask(`${hub.url}/mcp`, 'legacy', 'resources/unsubscribe', { uri: 'note://f' }, session);
    expect((await subscribe('note://f')).message.result).toBeDefined();
  });

  it('characters of watched URIs', async () => {
    await using notes = await hubWith({ watchedCharacters: 1000 });
    const { hub } = notes;
    const long = (name: string) => `note://${name}${'x'.repeat(400)}`;
    const listening = await openStream(`${hub.url}/mcp`, 'modern', [long('a')], greedy);
    const session = await initialize(`${hub.url}/mcp`, greedy);
    const subscribe = (uri: string) => ask(`${hub.url}/mcp`, 'legacy', 'resources/subscribe', { uri }, session);
    expect((await subscribe(long('b'))).message.result).toBeDefined();
    expect((await subscribe(long('c'))).message.error?.message).toContain('quota of watchedCharacters is 1000');
    const filter = { notifications: { resourceSubscriptions: [long('d')] } };
    expectRefused(await ask(`${hub.url}/mcp`, 'modern', 'subscriptions/listen', filter, greedy), 'watchedCharacters');
    expect((await subscribe('note://short')).message.result).toBeDefined();
    await expectOthersServed(notes);
    listening.destroy();
    await eventually('room for a URI', async () => (await subscribe(long('c'))).message.result !== undefined);
  });

  it('requests in flight, with calls that its clients have left', async () => {
    await using notes = await hubWith({ requestsInFlight: 3, streams: 3 });
    const { hub, upstream } = notes;
    const session = await initialize(`${hub.url}/mcp`, greedy);
    const leave = async (name: string, args: object, id: string) => {
      const { headers, body } = rpcRequest('legacy', 'tools/call', { name, arguments: args }, id);
      const response = await send(`${hub.url}/mcp`, 'POST', { ...headers, ...session }, JSON.stringify(body));
      response.destroy();
    };
    const used = () => hub.hub.quotas.used('GREEDY', 'requestsInFlight') + hub.hub.quotas.used('GREEDY', 'streams');
    // A call of a read-only tool ends when its client has left.
    const wait = rpcRequest('legacy', 'tools/call', {
      name: 'wait_for_change',
      arguments: { timeout_seconds: 80_000 },
    });
    const leaving = new AbortController();
    const waiting = fetch(`${hub.url}/mcp`, {
      method: 'POST',
      headers: { ...wait.headers, ...session },
      body: JSON.stringify(wait.body),
      signal: leaving.signal,
    });
    await eventually('the wait to be counted', () => used() === 1);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    await eventually('the wait to end', () => used() === 0);
    // A call that may change something continues, and counts.
    for (const id of ['one', 'two', 'three']) await leave('notes_slow_note', {}, id);
    await eventually('the calls to be counted', () => used() === 3);
    await eventually('no room', async () => {
      const { error } = (await ask(`${hub.url}/mcp`, 'modern', 'resources/list', {}, greedy)).message;
      return error === undefined && hub.hub.quotas.used('GREEDY', 'streams') === 3;
    });
    const listen = { notifications: { resourceSubscriptions: ['note://a'] } };
    expectRefused(await ask(`${hub.url}/mcp`, 'modern', 'subscriptions/listen', listen, greedy), 'streams');
    await expectOthersServed(notes);
    expect(upstream.cancelled).toBe(0);
    await fetch(`${hub.url}/mcp`, { method: 'DELETE', headers: session });
    await eventually('the calls to have ended', () => used() === 0 && upstream.cancelled === 3);
  });

  it('requests in flight, including the requests of a batch', async () => {
    await using notes = await hubWith({ requestsInFlight: 4, streams: 1 });
    const { hub } = notes;
    const session = await initialize(`${hub.url}/mcp`, greedy);
    const waits = (count: number) =>
      Array.from(
        { length: count },
        (_, n) => rpcRequest('legacy', 'tools/call', { name: 'notes_slow_note', arguments: {} }, `${count} ${n}`).body,
      );
    const { headers } = rpcRequest('legacy', 'tools/call');
    const batch = (count: number) =>
      send(`${hub.url}/mcp`, 'POST', { ...headers, ...session }, JSON.stringify(waits(count)));
    const waiting = await batch(3);
    expect(waiting.statusCode).toBe(200);
    expect((await batch(2)).statusCode).toBe(429);
    await expectOthersServed(notes);
    waiting.destroy();
    await fetch(`${hub.url}/mcp`, { method: 'DELETE', headers: session });
    await eventually('the calls to have ended', () => hub.hub.quotas.used('GREEDY', 'requestsInFlight') === 0);
  });

  it('requests in flight, until waiting ones count as streams', async () => {
    await using notes = await hubWith({ requestsInFlight: 2, streams: 1000 });
    const { hub } = notes;
    const { headers, body } = rpcRequest('modern', 'tools/call', { name: 'notes_slow_note', arguments: {} });
    const controller = new AbortController();
    const slow = () =>
      fetch(`${hub.url}/mcp`, {
        method: 'POST',
        headers: { ...headers, ...greedy },
        body: JSON.stringify(body),
        signal: controller.signal,
      }).catch(() => undefined);
    const waiting: Promise<unknown>[] = [];
    const read = () => ask(`${hub.url}/mcp`, 'modern', 'resources/read', { uri: 'note://a' }, greedy);
    // On a busy machine calls may count as streams before the read is counted: then others take their place.
    const refused = await eventually('a refusal', async () => {
      waiting.push(slow(), slow());
      const answer = await read();
      return answer.message.error && answer;
    });
    expectRefused(refused, 'requestsInFlight');
    await expectOthersServed(notes);
    await eventually('ordinary reads again', async () => (await read()).message.result !== undefined);
    controller.abort();
    await Promise.all(waiting);
  });

  it('requests per second', async () => {
    await using notes = await hubWith({ requestsPerSecond: 1 });
    const { hub } = notes;
    const refused = await eventually('a refusal', async () => {
      const answer = await hub.get('/api/servers', greedy);
      return answer.status === 429 ? answer : undefined;
    });
    await expect429(refused, 'requestsPerSecond');
    await eventually('a refusal over MCP', async () => {
      const answer = await ask(`${hub.url}/mcp`, 'modern', 'resources/list', {}, greedy);
      if (answer.message.error === undefined) return false;
      expectRefused(answer, 'requestsPerSecond');
      return true;
    });
    await expectOthersServed(notes);
    await eventually('another second', async () => (await hub.get('/api/servers', greedy)).status === 200);
  });

  it.each(['bridge', 'modern', 'legacy'] as const)('bytes that it does not read (%s)', async (way) => {
    const megabyte = 1024 * 1024;
    await using notes = await hubWith({ unreadBytes: 34 * megabyte });
    const { hub, upstream } = notes;
    // More than the buffers of the system hold.
    upstream.notes.set('large', 'x'.repeat(10 * megabyte));
    upstream.unlisted.add('large');
    const session = way === 'legacy' ? await initialize(`${hub.url}/mcp`, greedy) : greedy;
    const unread = async (id: number) => {
      const era = way === 'legacy' ? way : 'modern';
      const { headers, body } = rpcRequest(era, 'resources/read', { uri: 'note://large' }, id);
      const answer =
        way === 'bridge'
          ? await send(`${hub.url}/resources/note%3A%2F%2Flarge`, 'GET', greedy)
          : await send(`${hub.url}/mcp`, 'POST', { ...headers, ...session }, JSON.stringify(body));
      return answer.pause();
    };
    const answers = [];
    for (let used = 0; used <= 18 * megabyte; used += 10 * megabyte) {
      answers.push(await unread(used));
      await eventually('it to be counted', () => hub.hub.quotas.used('GREEDY', 'unreadBytes') >= used + 10 * megabyte);
    }
    await expect429(await hub.get('/resources/note%3A%2F%2Fa', greedy), 'unreadBytes');
    expectRefused(await ask(`${hub.url}/mcp`, 'modern', 'resources/read', { uri: 'note://a' }, greedy), 'unreadBytes');
    await expectOthersServed(notes);
    for (const answer of answers) answer.destroy();
    await eventually('room again', () => hub.hub.quotas.used('GREEDY', 'unreadBytes') === 0);
    expect((await hub.get('/resources/note%3A%2F%2Fa', greedy)).status).toBe(200);
  });

  it('bytes of requests that stay open', async () => {
    const megabyte = 1024 * 1024;
    await using notes = await hubWith({ unreadBytes: 20 * megabyte });
    const { hub } = notes;
    const listen = () => {
      const filter = { notifications: { resourceSubscriptions: ['note://a'] }, unused: 'x'.repeat(3 * megabyte) };
      const { headers, body } = rpcRequest('modern', 'subscriptions/listen', filter, 1);
      return send(`${hub.url}/mcp`, 'POST', { ...headers, ...greedy }, JSON.stringify(body));
    };
    const [first, second] = [await listen(), await listen()];
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(hub.hub.quotas.used('GREEDY', 'unreadBytes')).toBeGreaterThan(6 * megabyte);
    const third = await listen();
    expect(await third.setEncoding('utf8').toArray()).toEqual([expect.stringContaining('quota of unreadBytes is ')]);
    await expectOthersServed(notes);
    for (const answer of [first, second]) answer.destroy();
    await eventually('room again', () => hub.hub.quotas.used('GREEDY', 'unreadBytes') === 0);
  });

  it('agent sessions', async () => {
    await using notes = await hubWith({ agentSessions: 1 });
    const { hub } = notes;
    const attach = (who: Record<string, string>) =>
      fetch(`${hub.url}/api/sessions`, {
        method: 'POST',
        headers: { ...who, 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'openai-realtime', key_env: 'KEY', url: address }),
      });
    const attached = await attach(greedy);
    expect(attached.status).toBe(201);
    await expect429(await attach(greedy), 'agentSessions');
    expect((await attach(other)).status).toBe(201);
    await expectOthersServed(notes);
    const { id } = z.object({ id: z.string() }).parse(await attached.json());
    await fetch(`${hub.url}/api/sessions/${id}`, { method: 'DELETE', headers: greedy });
    expect((await attach(greedy)).status).toBe(201);
  });
});

describe('the quotas of a hub', () => {
  it('can be edited while it runs, without ending open connections', async () => {
    await using notes = await hubWith({ streams: 1 });
    const { hub } = notes;
    const stream = await openListen(`${hub.url}/mcp`, ['note://a'], greedy);
    await expect429(await hub.get('/api/mcp/resource-events', greedy), 'streams');
    const { config } = hub.hub.tracker;
    hub.hub.apply({ ...config, tokens: [{ env: 'GREEDY', limits: { streams: 2 } }, { env: 'OTHER' }] });
    expect((await send(`${hub.url}/api/mcp/resource-events`, 'GET', greedy)).statusCode).toBe(200);
    expect(stream.ended).toBe(false);
    hub.hub.apply({ ...config, limits: { streams: 1 }, tokens: [{ env: 'GREEDY' }, { env: 'OTHER' }] });
    await expect429(await hub.get('/api/mcp/resource-events', greedy), 'streams');
  });

  it('count each message of a batch, and limit its length', async () => {
    await using notes = await hubWith({ requestsPerSecond: 10 });
    const { hub } = notes;
    const session = await initialize(`${hub.url}/mcp`, greedy);
    const batch = (size: number) =>
      Array.from({ length: size }, (_, n) => rpcRequest('legacy', 'ping', {}, `${size}-${n}`).body);
    const { headers } = rpcRequest('legacy', 'ping');
    const large = await post(`${hub.url}/mcp`, batch(101), { ...headers, ...session });
    expect([large.status, large.message.error?.message]).toEqual([
      413,
      'One body may have 100 messages, and this one has 101: send several.',
    ]);
    // The full allowance is one batch, and 15 s pass until it has grown by the three others.
    const answers = await Promise.all(
      [50, 49, 48, 47].map((size) => post(`${hub.url}/mcp`, batch(size), { ...headers, ...session })),
    );
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.message.error?.data?.['code']).toBe('LIMIT_EXCEEDED');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  });
});

it('a client that leaves while its request waits for the lists of servers holds nothing', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => silent.close().closeAllConnections());
  await once(silent, 'listening');
  const { port } = z.object({ port: z.number() }).parse(silent.address());
  const entry = {
    id: 'silent',
    url: `http://127.0.0.1:${port}/mcp`,
    headers: {},
    enabled: true,
    trackResources: false,
  };
  const tokens = [{ env: 'GREEDY', limits: { requestsInFlight: 1 } }];
  await using hub = await runningHub({ servers: [entry], config: { tokens }, env: { GREEDY: 'greedy' } });
  const { host, hostname, port: hubPort } = new URL(hub.url);
  const socket = connect(Number(hubPort), hostname);
  const lines = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer greedy\r\n\r\n`;
  socket.write(lines('/healthz') + lines('/mcp/none'));
  // The second request has arrived then, too.
  await once(socket, 'data');
  socket.destroy();
  // Waits for longer than the first.
  expect((await hub.get('/mcp/none', greedy)).status).toBe(404);
});

it('an event stream that waits behind another ends with its connection', async () => {
  await using notes = await hubWith({ streams: 2 });
  const { url, hub } = notes.hub;
  const { host, hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = ['GET /api/mcp/resource-events HTTP/1.1', `Host: ${host}`, 'Authorization: Bearer greedy', '', ''];
  socket.write(lines.join('\r\n').repeat(2));
  await eventually('both', () => hub.tracker.events.readers === 2);
  socket.destroy();
  await eventually('their end', () => hub.tracker.events.readers === 0);
});
