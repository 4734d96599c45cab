// Requests that browsers can be made to send: from pages of other origins, forms, and scripts that are resources.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { liveServer } from '@tidings/live';
import { describe, expect, it } from 'vitest';
import { send } from '../support/wire/raw-http.ts';
import { hubWithNotes } from './hub-with-notes.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const json = { 'content-type': 'application/json' };

function portOf({ url }: RunningHub): string {
  return new URL(url).port;
}

/** A request with headers that `fetch` does not allow to set. */
async function asked(
  { url }: RunningHub,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
) {
  const res = await send(`${url}${path}`, method, headers, body);
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk);
  return { status: res.statusCode, text: Buffer.concat(chunks).toString() };
}

describe('a page of another origin', () => {
  it('is refused even if only its port, scheme or host name differs', async () => {
    await using hub = await runningHub({ config: { cors: ['https://friend.example'] } });
    const port = portOf(hub);
    const status = async (origin: string) => (await hub.get('/api/servers', { Origin: origin })).status;
    expect(await status(hub.url)).toBe(200);
    expect(await status('https://friend.example')).toBe(200);
    for (const origin of [
      'http://127.0.0.1:9999',
      'http://localhost:9999',
      'http://127.0.0.1',
      `http://localhost:${port}`,
      `https://127.0.0.1:${port}`,
      'http://friend.example',
      'https://friend.example:8443',
      'null',
      'nonsense',
    ])
      expect(await status(origin), origin).toBe(403);
  });

  it('is refused on /mcp too, for a new session and for a request', async () => {
    await using hub = await runningHub();
    for (const path of ['/mcp', '/mcp/none']) {
      const answer = await fetch(`${hub.url}${path}`, {
        method: 'POST',
        headers: { ...json, Origin: 'http://localhost:9999' },
        body: '{}',
      });
      expect(answer.status, path).toBe(403);
      expect(await answer.text()).toContain('http://localhost:9999');
    }
  });

  it.each([
    ['a picture', 'GET', 'no-cors', 'image', 'cross-site', 403],
    ['a script of another port', 'GET', 'no-cors', 'script', 'same-site', 403],
    ['a frame', 'GET', 'navigate', 'iframe', 'cross-site', 403],
    ['a form', 'POST', 'navigate', 'document', 'cross-site', 403],
    ['a link', 'GET', 'navigate', 'document', 'cross-site', 200],
    ['the address bar', 'GET', 'navigate', 'document', 'none', 200],
    ['its own page', 'GET', 'cors', 'empty', 'same-origin', 200],
  ])('%s without an Origin header is judged by its Sec-Fetch headers', async (_, method, mode, dest, site, status) => {
    await using hub = await runningHub();
    const headers = { ...json, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest, 'sec-fetch-site': site };
    const path = method === 'POST' ? '/api/demo' : '/api/servers';
    expect((await asked(hub, method, path, headers)).status).toBe(status);
  });
});

describe('a request that changes state', () => {
  it.each([
    ['POST', '/api/demo', 'text/plain', '{}', 415],
    ['POST', '/api/demo', 'application/x-www-form-urlencoded', 'a=b', 415],
    ['POST', '/api/demo', undefined, undefined, 415],
    ['POST', '/api/sessions', 'text/plain', '{"kind":"transcript"}', 415],
    ['PATCH', '/api/servers/x', undefined, '{"tracked":true}', 415],
    ['PATCH', '/api/servers/x', 'application/jsonp', '{"tracked":true}', 415],
    ['DELETE', '/api/sessions/x', 'text/plain', 'x', 415],
    ['DELETE', '/api/sessions/x', undefined, undefined, 404],
    ['PATCH', '/api/servers/x', 'application/json; charset=utf-8', '{"tracked":true}', 404],
    ['POST', '/api/demo', 'application/json', undefined, 200],
  ])('%s %s as %s with %s is answered with %i', async (method, path, type, body, status) => {
    await using hub = await runningHub();
    const headers = {
      ...(type !== undefined && { 'content-type': type }),
      ...(body !== undefined && { 'content-length': String(body.length) }),
    };
    const answer = await asked(hub, method, path, headers, body);
    expect(answer.status).toBe(status);
    if (status === 415) expect(answer.text).toContain('Content-Type: application/json');
  });
});

async function hubWithScript(): Promise<RunningHub> {
  const server = liveServer({ name: 'hostile', version: '1.0.0' });
  server.resource('hostile://script', { mimeType: 'text/javascript', read: () => 'document.title = "taken over";' });
  const hub = await runningHub({
    servers: [{ id: 'hostile', builtin: 'hostile', enabled: true, trackResources: true }],
    builtins: { hostile: async () => server },
    config: { cors: ['https://friend.example'] },
  });
  await hub.isLive('hostile');
  return hub;
}

describe('a compressed request', () => {
  it('is refused on every route with a body, without being decompressed', async () => {
    await using notes = await hubWithNotes();
    const { hub } = notes;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const routes = [
      { method: 'POST', path: '/mcp', headers: { ...json, accept: 'application/json, text/event-stream' } },
      { method: 'POST', path: '/mcp/notes', headers: { ...json, accept: 'application/json, text/event-stream' } },
      { method: 'PATCH', path: '/api/servers/notes', headers: json },
      { method: 'POST', path: '/api/servers/notes/trust', headers: json },
      { method: 'POST', path: '/api/sessions', headers: json },
      { method: 'POST', path: '/login', headers: form },
    ];
    const text = Buffer.from(`{"tracked":false}${' '.repeat(1_000_000)}`);
    const encodings = {
      gzip: gzipSync(text),
      GZIP: gzipSync(text),
      deflate: deflateSync(text),
      br: brotliCompressSync(text),
      'gzip, identity': gzipSync(text),
      unknown: text.subarray(0, 100),
    };
    for (const { method, path, headers } of routes) {
      for (const [encoding, body] of Object.entries(encodings)) {
        const answer = await fetch(`${hub.url}${path}`, {
          method,
          headers: { ...headers, 'content-encoding': encoding },
          body,
        });
        expect([answer.status, await answer.text()], `${path} ${encoding}`).toEqual([
          415,
          expect.stringContaining('must not be compressed: send it without Content-Encoding'),
        ]);
      }
    }
    const plain = { method: 'PATCH', headers: { ...json, 'content-encoding': 'identity' }, body: '{"tracked":false}' };
    expect((await fetch(`${hub.url}/api/servers/notes`, plain)).status).toBe(200);
  });
});

describe('a response of the hub', () => {
  it('can be used by its own pages only, unless an origin is configured', async () => {
    await using hub = await hubWithScript();
    const resource = '/resources/hostile%3A%2F%2Fscript';
    for (const path of ['/', '/healthz', '/api/servers', '/nothing', '/mcp', '/metrics', resource]) {
      const { headers } = await hub.get(path);
      expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin');
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toMatch(/no-referrer|same-origin/);
      const friend = await hub.get(path, { Origin: 'https://friend.example' });
      expect(friend.headers.get('cross-origin-resource-policy'), path).toBe('cross-origin');
    }
    for (const path of ['/api/servers', '/api/events', '/nothing', '/metrics'])
      expect((await hub.get(path)).headers.get('cache-control'), path).toBe('no-store');
    const page = await hub.get('/');
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('with a resource cannot be run as a script, style or worker', async () => {
    await using hub = await hubWithScript();
    const path = '/resources/hostile%3A%2F%2Fscript';
    const answered = async (dest: string) =>
      (await asked(hub, 'GET', path, { 'sec-fetch-dest': dest, 'sec-fetch-site': 'same-origin' })).status;
    for (const dest of [
      'script',
      'style',
      'worker',
      'sharedworker',
      'serviceworker',
      'manifest',
      'xslt',
      'audioworklet',
    ])
      expect(await answered(dest), dest).toBe(403);
    for (const dest of ['empty', 'document', 'image', 'video']) expect(await answered(dest), dest).toBe(200);
    expect((await asked(hub, 'GET', path, { 'service-worker': 'script' })).status).toBe(403);
    expect((await hub.get(path)).status).toBe(200);
  });
});
