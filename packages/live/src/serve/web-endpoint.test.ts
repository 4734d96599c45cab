import { afterEach, describe, expect, it } from 'vitest';
import { liveServer } from '../live-server.ts';
import type { LiveServer } from '../live-server.ts';
import { type Era, FakeClock, connectFetch, eventually } from '../testing.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import { type WebEndpoint, webEndpoint } from './web-endpoint.ts';

const log = { warn: () => undefined, error: () => undefined };
const keepAliveMs = 1000;
let server: LiveServer;
let endpoint: WebEndpoint;
let clock: FakeClock;

afterEach(() => endpoint.close());

function create(options: EndpointOptions<Request> = {}): void {
  clock = new FakeClock();
  server = liveServer({ name: 'notes', version: '1.0.0', log, clock, windowMs: 0 });
  server.resource('note://{name}', { read: ({ name }) => name });
  endpoint = webEndpoint(server, { keepAliveMs, ...options });
}

type RequestDetails = Omit<RequestInit, 'headers'>;

function request(method: string, params: object, init: RequestDetails & { headers?: Record<string, string> } = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...('_meta' in params && typeof params._meta === 'object' ? params._meta : {}),
  };
  const { headers, ...rest } = init;
  const name = 'uri' in params ? params.uri : 'name' in params ? params.name : undefined;
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    ...rest,
  });
}

const listen = (uris: string[], init: RequestDetails = {}) =>
  endpoint.fetch(request('subscriptions/listen', { notifications: { resourceSubscriptions: uris } }, init));

async function openBody(uris: string[], init: RequestDetails = {}): Promise<ReadableStream<Uint8Array>> {
  const { body } = await listen(uris, init);
  if (body === null) throw new Error('There is no stream.');
  return body;
}

/** Lets announced changes reach the stream. */
async function settle(): Promise<void> {
  clock.tick();
  await new Promise((resolve) => setImmediate(resolve));
}

describe('a stream', () => {
  it('ends at once when its body is cancelled, or the request is aborted', async () => {
    create();
    const cancelled = (await openBody(['note://a'])).getReader();
    await cancelled.read();
    const leaving = new AbortController();
    const aborted = (await openBody(['note://b'], { signal: leaving.signal })).getReader();
    await aborted.read();
    expect([endpoint.open.streams, server.stats().subscribers, server.stats().watched]).toEqual([2, 2, 2]);
    await cancelled.cancel();
    expect([endpoint.open.streams, server.stats().subscribers, server.stats().watched]).toEqual([1, 1, 1]);
    leaving.abort();
    expect([endpoint.open.streams, server.stats().subscribers, server.stats().watched]).toEqual([0, 0, 0]);
  });

  it('has at most its queue and one notification per URI in memory for a stalled reader', async () => {
    create();
    const uris = Array.from({ length: 50 }, (_, n) => `note://${n}-${'x'.repeat(1000)}`);
    const reader = (await openBody(uris)).getReader();
    await reader.read();
    const rounds = 500;
    for (let round = 0; round < rounds; round += 1) {
      server.announce(...uris);
      await settle();
    }
    const { frames, merged } = server.stats();
    // Each round is about 60 kB: the first fills the queue, and a second may be sent while it is read.
    expect(frames).toBeLessThanOrEqual(2 * uris.length);
    expect(merged).toBeGreaterThan((rounds - 3) * uris.length);
    const told: string[] = [];
    let bytes = 0;
    while (told.length < frames + uris.length) {
      const { value } = await reader.read();
      bytes += value?.byteLength ?? 0;
      told.push(...(new TextDecoder().decode(value).match(/"uri":"[^"]*/g) ?? []));
      await settle();
    }
    // Pending updates were sent once the reader continued: every URI once more.
    expect(new Set(told.slice(frames)).size).toBe(uris.length);
    expect(bytes).toBeLessThan(300_000);
    await reader.cancel();
  });

  it('ends with an error when its client reads nothing for two keep-alives', async () => {
    create();
    const reader = (await openBody(['note://a', `note://${'x'.repeat(7000)}`])).getReader();
    await reader.read();
    for (let round = 0; round < 5; round += 1) {
      server.announce('note://a', `note://${'x'.repeat(7000)}`);
      await settle();
    }
    clock.advance(keepAliveMs);
    expect(endpoint.open.streams).toBe(1);
    clock.advance(keepAliveMs);
    expect([endpoint.open.streams, server.stats().subscribers]).toEqual([0, 0]);
    await expect(reader.read()).rejects.toThrow('has not read from this stream');
  });

  it('is completed with its pending notifications when the endpoint is closed', async () => {
    create();
    const text = new Response(await openBody(['note://a'])).text();
    server.announce('note://a');
    await endpoint.close();
    expect((await text).match(/acknowledged|updated|resultType/g)).toEqual(['acknowledged', 'updated', 'resultType']);
  });
});

describe('a request', () => {
  it('is refused by its host, its origin, its method, its credentials and its size', async () => {
    create({ authenticate: ({ headers }) => (headers.has('authorization') ? { subject: 'me' } : undefined) });
    const refused = async (headers: Record<string, string>, init: RequestDetails = {}) => {
      const response = await endpoint.fetch(request('resources/list', {}, { headers, ...init }));
      return [response.status, response.headers.get('www-authenticate') ?? response.headers.get('allow')];
    };
    const authorization = 'Bearer x';
    expect(await refused({ host: 'evil.example', authorization })).toEqual([403, null]);
    expect(await refused({ origin: 'https://evil.example', authorization })).toEqual([403, null]);
    expect(await refused({ authorization }, { method: 'PUT' })).toEqual([405, 'GET, POST, DELETE']);
    expect(await refused({})).toEqual([401, 'Bearer']);
    expect(await refused({ authorization }, { body: ' '.repeat(5_000_000) })).toEqual([413, null]);
    expect(await refused({ origin: 'http://localhost', authorization })).toEqual([200, null]);
  });

  it('whose body was read before is answered with an error that says so', async () => {
    create();
    const read = request('resources/list', {});
    await read.text();
    const response = await endpoint.fetch(read);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('hand over a Request with a body of its own');
  });

  it('is answered even if it was aborted before', async () => {
    create();
    const response = await endpoint.fetch(request('resources/list', {}, { signal: AbortSignal.abort() }));
    expect(response.status).toBe(499);
  });
});

describe('a tool', () => {
  it('has its signal aborted when its client disconnects, in either way', async () => {
    create();
    const aborted: string[] = [];
    server.tool('wait', {}, async (_args, { mcpReq }) => {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
      await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve));
      aborted.push('aborted');
    });
    const call = (init: RequestDetails = {}) =>
      endpoint.fetch(request('tools/call', { name: 'wait', arguments: {}, _meta: { progressToken: 1 } }, init));
    const reader = (await call()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await eventually('the first to be aborted', () => aborted.length === 1);
    const leaving = new AbortController();
    const second = await call({ signal: leaving.signal });
    await second.body?.getReader().read();
    leaving.abort();
    await eventually('the second to be aborted', () => aborted.length === 2);
  });
});

it.each(['modern', 'legacy'] as Era[])('serves a %s client without a socket', async (era) => {
  create();
  const client = await connectFetch(endpoint.fetch, era);
  await client.subscribe('note://a');
  server.announce('note://a');
  clock.tick();
  await eventually('the update', () => client.updates.length === 1);
  expect(await client.read('note://a')).toBe('a');
  await client.close();
});
