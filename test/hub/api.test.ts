// The hub's own routes and the bridge: all responses match their schemas, all errors have one shape.
import { content, contents, liveServer, notFound } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { eventsSchema, resourcesSchema, serverSchema, serversSchema } from '../support/wire/strict-answers.ts';
import { send } from '../support/wire/raw-http.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, type RunningHubOptions, runningHub } from './running-hub.ts';

const encoded = (uri: string) => `/resources/${encodeURIComponent(uri)}`;

async function hubWithNotes(): Promise<RunningHub & { upstream: NotesUpstream }> {
  const upstream = await NotesUpstream.start('modern');
  for (const name of ['apple', 'banana', 'cherry']) upstream.put(name, `about ${name}`);
  const entry = { ...upstream.entry('notes'), headers: { Authorization: 'Bearer hush-hush' } };
  const hub = await runningHub({ servers: [entry] });
  await hub.isLive('notes');
  return {
    ...hub,
    upstream,
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

function patch({ url }: RunningHub, id: string, body: string): Promise<Response> {
  return fetch(`${url}/api/servers/${id}`, { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body });
}

describe('the API', () => {
  it('lists the servers, and switches tracking of one on and off', async () => {
    await using hub = await hubWithNotes();
    const { servers } = serversSchema.parse(await hub.json('/api/servers'));
    expect(servers).toMatchObject([{ id: 'notes', state: 'live', era: 'modern', resources: 3, tracked: true }]);
    const changed = serverSchema.parse(await (await patch(hub, 'notes', '{"tracked":false}')).json());
    expect(changed.tracked).toBe(false);
    await eventually('nothing to be wanted', () => hub.status('notes')?.wanted === 0);
  });

  it('lists resources by page and by search words', async () => {
    await using hub = await hubWithNotes();
    const seen: string[] = [];
    let after = '';
    for (let page = 0; page < 3; page += 1) {
      const answer = resourcesSchema.parse(await hub.json(`/api/resources?limit=1${after}`));
      expect(answer.total).toBe(3);
      seen.push(...answer.resources.map(({ uri }) => uri));
      after = `&after=${encodeURIComponent(answer.next_cursor ?? '')}`;
      expect(answer.next_cursor === null).toBe(page === 2);
    }
    expect(seen).toEqual(['note://apple', 'note://banana', 'note://cherry']);
    const found = resourcesSchema.parse(await hub.json('/api/resources?q=NOTE%20ban'));
    expect(found.resources.map(({ uri }) => uri)).toEqual(['note://banana']);
    expect(resourcesSchema.parse(await hub.json('/api/resources?server=nobody')).total).toBe(0);
  });

  it('lists events by page, with filters, and marks gaps', async () => {
    await using hub = await hubWithNotes();
    const { cursor } = eventsSchema.parse(await hub.json('/api/events?limit=1000'));
    hub.upstream.put('apple', 'new');
    hub.upstream.put('banana', 'new');
    const news = (query: string) =>
      hub.json(`/api/events?after=${cursor}${query}`).then((it) => eventsSchema.parse(it));
    await eventually('both', async () => (await news('')).events.length === 2);
    const first = await news('&limit=1');
    expect(first).toMatchObject({ has_more: true, has_gap: false });
    const second = eventsSchema.parse(await hub.json(`/api/events?after=${first.cursor}`));
    expect(second).toMatchObject({ has_more: false, events: [{ type: 'resource_update' }] });
    expect((await news('&uri=note://b*')).events).toMatchObject([{ resourceUri: 'note://banana' }]);
    expect((await news('&server=nobody')).events).toEqual([]);
    expect(eventsSchema.parse(await hub.json('/api/events?after=unknown')).has_gap).toBe(true);
  });

  it('lists sample data, and loads it without a request body', async () => {
    await using hub = await runningHub();
    const none = { conversations: 0, schedules: 0 };
    expect(await hub.json('/api/demo')).toEqual({ offers: none, loaded: false, changing: false });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${hub.url}/api/demo`, { method: 'POST', headers });
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: { loaded: none } });
  });

  it.each([
    ['GET', '/api/resources?limit=0', 400, 'INVALID_PARAMS'],
    ['GET', '/api/resources?limit=ten', 400, 'INVALID_PARAMS'],
    ['GET', '/api/resources?after=nothing', 400, 'INVALID_PARAMS'],
    ['GET', '/api/events?limit=1.5', 400, 'INVALID_PARAMS'],
    ['GET', '/api/nothing', 404, 'RESOURCE_NOT_FOUND'],
    ['GET', '/mcp/%zz', 404, 'RESOURCE_NOT_FOUND'],
    ['PATCH', '/api/servers/notes', 400, 'INVALID_PARAMS', ''],
    ['PATCH', '/api/servers/notes', 400, 'INVALID_PARAMS', '{"tracked":"yes"}'],
    ['PATCH', '/api/servers/notes', 400, 'INVALID_PARAMS', '{"tracked":true,"command":"rm"}'],
    ['PATCH', '/api/servers/nobody', 404, 'RESOURCE_NOT_FOUND', '{"tracked":true}'],
    ['PATCH', '/api/servers/notes', 429, 'LIMIT_EXCEEDED', `"${'x'.repeat(70_000)}"`],
    ['GET', '/resources/note%3A%2F%2F%25zz', 400, 'INVALID_URI'],
    ['GET', '/resources/%zz', 400, 'INVALID_URI'],
    ['GET', '/resources/nobody%3A%2F%2Fx', 400, 'INVALID_URI'],
    ['GET', '/resources/note%3A%2F%2Fnone', 404, 'RESOURCE_NOT_FOUND'],
    ['GET', '/resources/note%3A%2F%2Fapple?server=nobody', 404, 'RESOURCE_NOT_FOUND'],
  ])('%s %s is answered with %i %s', async (method, path, status, code, body?: string) => {
    await using hub = await hubWithNotes();
    // Not with `fetch`, which would normalise the path.
    const res = await send(`${hub.url}${path}`, method, { 'content-type': 'application/json' }, body);
    const text = Buffer.concat(await res.toArray()).toString();
    expect({ status: res.statusCode, body: JSON.parse(text) }).toEqual({
      status,
      body: { error: { code, message: expect.stringMatching(/\w/) } },
    });
    expect(text).not.toMatch(/node_modules|\.ts:|\.js:/);
  });

  it('shows no secret of the configuration', async () => {
    await using hub = await hubWithNotes();
    for (const path of ['/api/servers', '/api/resources', '/api/events', '/metrics']) {
      expect(await (await hub.get(path)).text(), path).not.toContain('hush');
    }
  });
});

async function hubWithKinds(config: RunningHubOptions['config'] = {}): Promise<RunningHub> {
  const server = liveServer({ name: 'kinds', version: '1.0.0' });
  server.resource('kinds://{kind}', {
    list: () => [{ kind: 'json' }],
    read: ({ kind }: { kind: string }) => {
      if (kind === 'json') return { long: 'x'.repeat(5000) };
      if (kind === 'blob') return content(Uint8Array.of(0, 1, 2, 255), { mimeType: 'image/png' });
      if (kind === 'odd-type') return content('text', { mimeType: 'text/html\r\nSet-Cookie: a=b' });
      if (kind === 'two') return contents(['one', 'two']);
      return notFound();
    },
  });
  const hub = await runningHub({
    servers: [{ id: 'kinds', builtin: 'kinds', enabled: true, trackResources: true }],
    builtins: { kinds: async () => server },
    config,
  });
  await hub.isLive('kinds');
  return hub;
}

describe('the bridge', () => {
  it('answers with the content itself, and with 304 where the ETag matches', async () => {
    await using hub = await hubWithKinds();
    const plain = await hub.get(encoded('kinds://json'), { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await plain.json()).toEqual({ long: 'x'.repeat(5000) });
    const etag = plain.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await hub.get(encoded('kinds://json'), { 'If-None-Match': known });
      expect({ status: again.status, text: await again.text() }, known).toEqual({ status: 304, text: '' });
    }
    expect((await hub.get(encoded('kinds://json'), { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('replaces a media type that is not allowed in a header', async () => {
    await using hub = await hubWithKinds();
    const odd = await hub.get(encoded('kinds://odd-type'));
    expect({ status: odd.status, type: odd.headers.get('content-type'), text: await odd.text() }).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
      text: 'text',
    });
    expect(odd.headers.get('set-cookie')).toBeNull();
  });

  it('answers HEAD with the headers only, and compresses if the client accepts it', async () => {
    await using hub = await hubWithKinds();
    const head = await fetch(`${hub.url}${encoded('kinds://json')}`, { method: 'HEAD' });
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: '' });
    expect(head.headers.get('etag')).toBeTruthy();
    const squeezed = await hub.get(encoded('kinds://json'), { 'Accept-Encoding': 'gzip' });
    expect(squeezed.headers.get('content-encoding')).toBe('gzip');
    expect(await squeezed.json()).toMatchObject({ long: expect.any(String) });
    const again = await hub.get(encoded('kinds://json'), { 'If-None-Match': squeezed.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  it('does not compress a short response', async () => {
    await using hub = await hubWithKinds();
    for (const path of ['/api/clients', encoded('kinds://odd-type')]) {
      const short = await hub.get(path, { 'Accept-Encoding': 'gzip' });
      expect(short.headers.get('content-encoding')).toBeNull();
      expect(short.headers.get('content-length')).toBe(String((await short.text()).length));
    }
  });

  it('answers HEAD with the length of GET, unless compression would change it', async () => {
    await using hub = await hubWithKinds();
    const long = [encoded('kinds://json'), '/api/openapi.json'];
    for (const path of [...long, encoded('kinds://blob'), '/api/clients', '/nothing'])
      for (const accepted of [{}, { 'Accept-Encoding': 'gzip' }]) {
        const [head, get] = [await send(hub.url + path, 'HEAD', accepted), await send(hub.url + path, 'GET', accepted)];
        head.resume();
        get.resume();
        expect(head.headers.vary, path).toBe(get.headers.vary);
        expect(head.headers['content-length'], path).toBe(get.headers['content-length']);
        expect(head.headers['content-length'] === undefined).toBe(long.includes(path) && 'Accept-Encoding' in accepted);
      }
  });

  it('says that a compressed response depends on the origin, too, where it does', async () => {
    await using hub = await hubWithKinds({ cors: ['https://friend.example'] });
    const headers = { 'Accept-Encoding': 'gzip', Origin: 'https://friend.example' };
    const squeezed = await hub.get(encoded('kinds://json'), headers);
    expect(squeezed.headers.get('content-encoding')).toBe('gzip');
    expect(squeezed.headers.get('vary')).toBe('Accept-Encoding, Origin');
    expect((await hub.get('/api/clients', headers)).headers.get('vary')).toBe('Origin');
  });

  it('serves a blob as bytes, and several contents as an MCP result', async () => {
    await using hub = await hubWithKinds();
    const blob = await hub.get(`${encoded('kinds://blob')}?server=kinds`);
    expect(blob.headers.get('content-type')).toBe('image/png');
    expect([...new Uint8Array(await blob.arrayBuffer())]).toEqual([0, 1, 2, 255]);
    expect(await hub.json(encoded('kinds://two'))).toMatchObject({ contents: [{ text: 'one' }, { text: 'two' }] });
  });
});
