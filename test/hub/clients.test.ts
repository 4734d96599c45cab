// `/api/clients`: the connected clients, their subscriptions and reads; a limited token sees only its own clients.
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientsSchema } from '../support/wire/strict-answers.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

let notes: NotesUpstream;
let hub: RunningHub;

beforeAll(async () => {
  notes = await NotesUpstream.start('modern');
  notes.put('a', 'one');
  notes.put('b', 'two');
  hub = await runningHub({
    servers: [notes.entry('notes')],
    token: 'whole-token-of-this-test',
    config: { tokens: [{ env: 'READER', allow: ['note://**'] }] },
    env: { READER: 'reader-token-of-this-test' },
  });
  await hub.isLive('notes');
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await notes[Symbol.asyncDispose]();
});

const clientsOf = async (token: string) =>
  clientsSchema.parse(await hub.json('/api/clients', { Authorization: `Bearer ${token}` }));
const whole = () => clientsOf('whole-token-of-this-test');

describe.each(['modern', 'legacy'] as const)('a %s client', (era) => {
  it('is listed with its subscriptions, its reads and the number of its notifications', async () => {
    const client = await hub.connect(era, '/mcp/notes', 'reader-token-of-this-test');
    const own = async () =>
      (await whole()).clients.find((each) => each.era === era && each.connected && each.watches.includes('note://a'));
    await client.subscribe('note://a');
    await client.read('note://b');
    const listed = await eventually('the client', own);
    expect(listed).toMatchObject({
      era,
      who: 'READER',
      endpoints: ['/mcp/notes'],
      watching: 1,
      watches: ['note://a'],
      failures: 0,
      lastRequest: 'resources/read note://b',
    });
    expect(listed.name).not.toBe('');
    expect(listed.read.map(({ uri }) => uri)).toContain('note://b');
    const before = listed.told;
    notes.put('a', `changed for ${era}`);
    notes.put('b', `changed for ${era}`);
    await eventually('the notification', async () => ((await own())?.told ?? 0) > before);
    await eventually(
      'the change',
      async () => (await own())?.read.find(({ uri }) => uri === 'note://b')?.changes === 1,
    );
    await client.close();
    await eventually('its end', async () => (await own()) === undefined);
  });
});

describe('a limited token', () => {
  it('sees only its own clients, and no session ids', async () => {
    const mine = await hub.connect('legacy', '/mcp', 'reader-token-of-this-test');
    const other = await hub.connect('legacy', '/mcp', 'whole-token-of-this-test');
    const all = await whole();
    expect(new Set(all.clients.map(({ who }) => who))).toEqual(new Set(['READER', 'token']));
    expect(all.eventStreams).toBe(0);
    const seen = await clientsOf('reader-token-of-this-test');
    expect(new Set(seen.clients.map(({ who }) => who))).toEqual(new Set(['READER']));
    expect(seen.eventStreams).toBeNull();
    await mine.close();
    await other.close();
  });

  it('sees no changes of resources that it may no longer read', async () => {
    const client = await hub.connect('modern', '/mcp', 'reader-token-of-this-test');
    await client.read('note://a');
    await client.read('note://b');
    const read = async (token: string) =>
      (await clientsOf(token)).clients.filter(({ who }) => who === 'READER').flatMap((each) => each.read);
    expect((await read('reader-token-of-this-test')).map(({ uri }) => uri)).toContain('note://a');
    hub.hub.apply({ ...hub.hub.tracker.config, tokens: [{ env: 'READER', allow: ['note://b'] }] });
    notes.put('a', 'changed after the edit');
    await eventually('the change', async () =>
      (await read('whole-token-of-this-test')).some(({ uri, changes }) => uri === 'note://a' && changes > 0),
    );
    const seen = await read('reader-token-of-this-test');
    expect(new Set(seen.map(({ uri }) => uri))).toEqual(new Set(['note://b']));
    await client.close();
  });
});
