// Servers behind the gateway that restart, change and disappear while clients are subscribed through it.
import { liveServer } from '@tidings/live';
import { type TestClient, eventually, told } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { connectOldHttp } from '../support/wire/old-sdk-client.ts';
import { ScriptedServer } from '../track/scripted-server.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { quiet } from './quiet.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const eras = ['modern', 'legacy'] as const;
const times = ({ updates }: TestClient, uri: string) => updates.filter((each) => each === uri).length;
const everybody = (hub: RunningHub) =>
  Promise.all([hub.connect('modern'), hub.connect('legacy'), connectOldHttp(`${hub.url}/mcp`)]);
const closeAll = (clients: readonly TestClient[]) => Promise.all(clients.map((client) => client.close()));

describe.each(eras)('a %s server behind the gateway', (era) => {
  it('is followed through a restart: clients are notified of differences, and of later changes', async () => {
    const first = await NotesUpstream.start(era);
    first.put('same', '1');
    first.put('other', '1');
    await using hub = await runningHub({ servers: [first.entry('notes', false)] });
    const clients = await everybody(hub);
    for (const client of clients) await client.subscribe('note://same', 'note://other');
    await eventually('both to be subscribed to', () => hub.status('notes')?.subscribed === 2);
    // Read, so that the contents can be compared.
    for (const client of clients) for (const uri of ['note://same', 'note://other']) await client.read(uri);
    await eventually('both to be known', () => hub.status('notes')?.hashed === 2);
    // On a busy machine a subscription may be acknowledged before the server has it, which leads to a notification.
    const timesEach = (uri: string) => clients.map((client) => times(client, uri));
    await quiet(() => [...timesEach('note://same'), ...timesEach('note://other')]);
    const before = { same: timesEach('note://same'), other: timesEach('note://other') };
    const { port } = new URL(first.entry('notes').url);
    await first[Symbol.asyncDispose]();
    await eventually('it to be away', () => hub.status('notes')?.state === 'backoff');
    await using second = await NotesUpstream.start(era, 'note', Number(port), { same: '1', other: 'differs' });
    await hub.isLive('notes');
    for (const [n, client] of clients.entries()) await told(client, 'note://other', before.other[n]);
    expect(timesEach('note://same')).toEqual(before.same);
    second.put('same', '2');
    for (const [n, client] of clients.entries()) await told(client, 'note://same', before.same[n]);
    expect(await Promise.all(clients.map((client) => client.read('note://same')))).toEqual(['2', '2', '2']);
    await closeAll(clients);
  });

  it('may change its tools and prompts: clients are notified and find the new ones', async () => {
    await using upstream = await NotesUpstream.start(era);
    await using hub = await runningHub({ servers: [upstream.entry('notes')] });
    const clients = await everybody(hub);
    await clients[0].subscribe();
    upstream.server.tool('added', {}, () => 'here now');
    upstream.server.prompt('added', {}, () => 'here now');
    for (const client of clients) {
      for (const list of ['tools', 'prompts']) {
        await eventually(`${list} to change`, () => client.listChanges.includes(`notifications/${list}/list_changed`));
      }
      await eventually('the tool', async () => (await client.call('notes_added').catch(String)) === 'here now');
    }
    await closeAll(clients);
  });
});

describe('an edit of the configuration', () => {
  it('announces the list of resources only if it changed', async () => {
    await using one = await NotesUpstream.start('modern');
    await using two = await NotesUpstream.start('modern', 'memo');
    one.put('a', 'one');
    two.put('b', 'two');
    const servers = [one.entry('one')];
    await using hub = await runningHub({ servers });
    await hub.isLive('one');
    const common = await hub.connect('modern');
    const single = await hub.connect('modern', '/mcp/one');
    for (const client of [common, single]) await client.subscribe('note://a');
    const lists = (client: TestClient) => client.listChanges.filter((each) => each.includes('resources')).length;
    // The list that was read at the start may be announced a moment later.
    const first = await quiet(() => [lists(common), lists(single)]);
    hub.hub.apply({ servers, tokens: [], cors: ['https://example.com'], audit: false });
    // Updates are sent after earlier announcements.
    one.put('a', 'again');
    for (const client of [common, single]) await told(client, 'note://a');
    expect([lists(common), lists(single)]).toEqual(first);
    hub.hub.apply({ servers: [...servers, two.entry('two')], tokens: [] });
    await eventually('the list to change', () => lists(common) > (first[0] ?? 0));
    one.put('a', 'once more');
    await eventually('the update', () => times(single, 'note://a') > 1);
    expect(lists(single)).toBe(first[1]);
    // A pinned server's list is shown without descriptions, so it differs.
    hub.hub.apply({ servers: [{ ...one.entry('one'), pin: true }, two.entry('two')], tokens: [] });
    await eventually('the list of the pinned server to change', () => lists(single) > (first[1] ?? 0));
    await closeAll([common, single]);
  });
});

describe('a URI that two servers have', () => {
  it('gets another owner when the order in the configuration changes, and its watchers are notified', async () => {
    await using one = await NotesUpstream.start('modern');
    await using two = await NotesUpstream.start('legacy');
    one.put('a', 'of one');
    two.put('a', 'of two');
    await using hub = await runningHub({ servers: [one.entry('one', false), two.entry('two', false)] });
    const clients = await everybody(hub);
    for (const client of clients) await client.subscribe('note://a');
    hub.hub.apply({ servers: [two.entry('two', false), one.entry('one', false)], tokens: [] });
    for (const client of clients) await told(client, 'note://a');
    expect(await Promise.all(clients.map((client) => client.read('note://a')))).toEqual(['of two', 'of two', 'of two']);
    const heard = clients.map((client) => times(client, 'note://a'));
    two.put('a', 'of two, again');
    for (const [index, client] of clients.entries()) {
      await eventually('it to be told', () => times(client, 'note://a') > (heard[index] ?? 0));
    }
    await eventually('the other to be let go', () => one.watched <= 3);
    await closeAll(clients);
  });

  it('belongs to the other server while its first one is removed', async () => {
    await using one = await NotesUpstream.start('modern');
    await using two = await NotesUpstream.start('modern');
    one.put('a', 'of one');
    two.put('a', 'of two');
    const [first, second] = [one.entry('one', false), two.entry('two', false)];
    await using hub = await runningHub({ servers: [first, second] });
    const client = await hub.connect('modern');
    await client.subscribe('note://a');
    hub.hub.apply({ servers: [second], tokens: [] });
    await told(client, 'note://a');
    expect(await client.read('note://a')).toBe('of two');
    hub.hub.apply({ servers: [first, second], tokens: [] });
    await eventually('it to be told', () => times(client, 'note://a') >= 2);
    await eventually('the first to have it', async () => (await client.read('note://a')) === 'of one');
    await client.close();
  });
});

describe('a server that is removed from the configuration', () => {
  it('notifies its subscribers, whose reads fail, and removes its tools; once it is back, updates arrive again', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', '1');
    const entry = upstream.entry('notes', false);
    await using hub = await runningHub({ servers: [entry] });
    const client = await hub.connect('modern');
    await client.subscribe('note://a');
    hub.hub.apply({ servers: [], tokens: [] });
    await eventually('the tool to be gone', async () =>
      (await client.call('notes_put_note', { name: 'a', text: 'x' }).catch(String)).includes('not found'),
    );
    await told(client, 'note://a');
    await expect(client.read('note://a')).rejects.toMatchObject({ data: { code: 'INVALID_URI' } });
    upstream.put('a', 'meanwhile');
    const before = times(client, 'note://a');
    hub.hub.apply({ servers: [entry], tokens: [] });
    await eventually('it to be told', () => times(client, 'note://a') > before);
    expect(await client.read('note://a')).toBe('meanwhile');
    const heard = times(client, 'note://a');
    await hub.isLive('notes');
    upstream.put('a', 'later');
    await eventually('it to be told', () => times(client, 'note://a') > heard);
    await client.close();
  });
});

describe('a server that acknowledges subscriptions slowly', () => {
  it('delays no client, and no client misses a change meanwhile', async () => {
    let agree: (permitted: boolean) => void = () => undefined;
    const agreed = new Promise<boolean>((resolve) => {
      agree = resolve;
    });
    let text = 'before';
    const slow = liveServer({ name: 'slow', version: '1.0.0', authorize: () => agreed });
    const page = slow.resource('slow://{x}', { read: () => text });
    await using hub = await runningHub({
      servers: [{ id: 'slow', builtin: 'slow', enabled: true, trackResources: false }],
      builtins: { slow: async () => slow },
    });
    const client = await hub.connect('modern');
    expect((await client.subscribe('slow://a')).honored).toEqual(['slow://a']);
    text = 'after';
    page.changed({ x: 'a' });
    expect(client.updates).toEqual([]);
    agree(true);
    await told(client, 'slow://a');
    expect(await client.read('slow://a')).toBe('after');
    await client.close();
  });
});

describe('readiness', () => {
  it('does not wait for a server whose list fails, and is kept during its retries', async () => {
    await using server = await ScriptedServer.create({ resources: { 'a://1': 'one' }, listFails: true });
    await using hub = await runningHub({ servers: [server.entry('odd')] });
    const isReady = async () => (await hub.get('/readyz')).status === 200;
    await eventually('it to be ready', isReady);
    expect(hub.status('odd')).toMatchObject({
      state: 'connecting',
      detail: 'The list of resources could not be read: The list is not available.',
    });
    await server.edit({ listFails: false });
    await hub.isLive('odd');
    expect(hub.status('odd')?.detail).toBe('');
    await server.edit({ hangs: true });
    process.kill(hub.status('odd')?.pid ?? expect.unreachable(), 'SIGKILL');
    await eventually('it to be tried again', () => hub.status('odd')?.connects === 2);
    expect(hub.status('odd')?.state).toBe('connecting');
    expect(await isReady()).toBe(true);
  });
});
