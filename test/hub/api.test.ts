// The hub's own routes: every answer has the shape it is documented with.
import { describe, expect, it } from 'vitest';
import {
  eventsSchema,
  resourceSchema,
  resourcesSchema,
  serverSchema,
  serversSchema,
} from '../../packages/hub/src/http/schemas.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

async function open(count = 3): Promise<{ hub: RunningHub; upstream: NotesUpstream } & AsyncDisposable> {
  const upstream = await NotesUpstream.start('modern');
  for (let n = 0; n < count; n += 1) upstream.put(`n${n}`, `text ${n}`);
  const hub = await runningHub({ servers: [upstream.entry('notes')] });
  await hub.isLive('notes');
  return {
    hub,
    upstream,
    [Symbol.asyncDispose]: async () => {
      await hub[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const patch = ({ url }: RunningHub, id: string, body: string) =>
  fetch(`${url}/api/servers/${id}`, { method: 'PATCH', body });

describe('the API', () => {
  it('lists servers, and lets tracking be turned on and off', async () => {
    await using opened = await open();
    const { hub } = opened;
    const { servers } = serversSchema.parse(await hub.json('/api/servers'));
    expect(servers).toMatchObject([
      { id: 'notes', state: 'live', era: 'modern', tracked: true, resources: 3, subscribed: 3 },
    ]);
    const answer = await patch(hub, 'notes', '{"tracked":false}');
    expect(serverSchema.parse(await answer.json())).toMatchObject({ id: 'notes', tracked: false });
  });

  it('pages through resources, and finds some', async () => {
    await using opened = await open(5);
    const { hub } = opened;
    const first = resourcesSchema.parse(await hub.json('/api/resources?limit=2'));
    expect(first).toMatchObject({ total: 5, resources: { length: 2 } });
    const after = encodeURIComponent(first.next_cursor ?? '');
    const rest = resourcesSchema.parse(await hub.json(`/api/resources?limit=10&after=${after}`));
    expect(rest).toMatchObject({ resources: { length: 3 }, next_cursor: null });
    const { resources } = resourcesSchema.parse(await hub.json('/api/resources?q=N3&server=notes'));
    expect(resources.map((resource) => resourceSchema.parse(resource).uri)).toEqual(['note://n3']);
    expect(resourcesSchema.parse(await hub.json('/api/resources?server=none'))).toMatchObject({ total: 0 });
  });

  it('pages through events, and says what is gone', async () => {
    await using opened = await open();
    const { hub } = opened;
    const first = eventsSchema.parse(await hub.json('/api/events?limit=1'));
    expect(first).toMatchObject({ events: [{ type: 'server_state' }], has_more: true, has_gap: false });
    const rest = eventsSchema.parse(await hub.json(`/api/events?after=${first.cursor}`));
    expect(rest.events.length).toBeGreaterThan(0);
    expect(rest.has_more).toBe(false);
    expect(eventsSchema.parse(await hub.json('/api/events?after=long-gone-7'))).toMatchObject({ has_gap: true });
    expect(eventsSchema.parse(await hub.json('/api/events?uri=other://*&server=other')).events).toEqual([]);
  });

  it.each([
    ['/api/resources?limit=0', 400, 'INVALID_PARAMS'],
    ['/api/resources?limit=many', 400, 'INVALID_PARAMS'],
    ['/api/resources?after=nowhere', 400, 'INVALID_PARAMS'],
    ['/api/events?limit=5000', 400, 'INVALID_PARAMS'],
    ['/api/sessions/none/transcript', 404, 'RESOURCE_NOT_FOUND'],
    ['/api/teapot', 404, 'RESOURCE_NOT_FOUND'],
    ['/resources/note%3A%2F%2Fnone', 404, 'RESOURCE_NOT_FOUND'],
    ['/resources/nothing', 400, 'INVALID_URI'],
    ['/resources/%zz', 400, 'INVALID_URI'],
    ['/resources/note%3A%2F%2Fn0?server=none', 404, 'RESOURCE_NOT_FOUND'],
  ])('answers %s with %i and %s', async (path, status, code) => {
    await using opened = await open();
    const answer = await opened.hub.get(path);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error: { code, message: expect.any(String) } });
  });

  it.each([
    ['notes', '{"tracked":"yes"}', 400],
    ['notes', '{"track":true}', 400],
    ['notes', 'no json', 400],
    ['notes', `"${'x'.repeat(100_000)}"`, 429],
    ['none', '{"tracked":true}', 404],
  ])('refuses to change %s by %s', async (id, body, status) => {
    await using opened = await open();
    expect((await patch(opened.hub, id, body)).status).toBe(status);
  });
});

describe('the bridge', () => {
  it('serves the content itself, once', async () => {
    await using opened = await open();
    const { hub, upstream } = opened;
    const path = '/resources/note%3A%2F%2Fn1';
    const answer = await hub.get(path);
    expect(await answer.text()).toBe('text 1');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const etag = answer.headers.get('etag') ?? '';
    expect((await hub.get(path, { 'If-None-Match': etag })).status).toBe(304);
    upstream.put('n1', 'changed');
    expect(await (await hub.get(path, { 'If-None-Match': etag })).text()).toBe('changed');
    const head = await fetch(`${hub.url}${path}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('etag')).toBeTruthy();
  });
});
