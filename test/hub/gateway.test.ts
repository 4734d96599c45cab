// The gateway: clients of both eras with servers of both eras.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type TestClient, eventually, told } from '@tidings/live/testing';
import type { JournalEntry } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { NotesUpstream } from './notes-upstream.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const eras = ['modern', 'legacy'] as const;

async function sdkClient({ url }: RunningHub, era: 'modern' | 'legacy'): Promise<Client> {
  const mode = era === 'modern' ? 'auto' : 'legacy';
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return client;
}

const times = ({ updates }: TestClient, uri: string) => updates.filter((each) => each === uri).length;

describe.each(eras)('a %s client', (clientEra) => {
  describe.each(eras)('with a %s server behind', (serverEra) => {
    for (const isTracked of [true, false]) {
      it(`lists, reads, subscribes, is notified and calls tools; the server is ${isTracked ? '' : 'not '}tracked`, async () => {
        await using upstream = await NotesUpstream.start(serverEra);
        upstream.put('a', 'first');
        await using hub = await runningHub({ servers: [upstream.entry('notes', isTracked)] });
        await hub.isLive('notes');
        expect(hub.status('notes')?.era).toBe(serverEra);
        const client = await hub.connect(clientEra);
        expect(await client.listAll()).toEqual(['note://a']);
        expect(await client.read('note://a')).toBe('first');

        expect((await client.subscribe('note://a')).honored).toEqual(['note://a']);
        upstream.put('a', 'second');
        await told(client, 'note://a');
        expect(await client.read('note://a')).toBe('second');

        expect(JSON.parse(await client.call('notes_put_note', { name: 'b', text: 'new' }))).toEqual({ saved: 'b' });
        await eventually('the list to change', () =>
          client.listChanges.includes('notifications/resources/list_changed'),
        );
        await eventually('the new one to be listed', async () => (await client.listAll()).includes('note://b'));
        await client.close();
      });
    }

    it('gets progress, cancellation, prompts, templates and completion', async () => {
      await using upstream = await NotesUpstream.start(serverEra);
      upstream.put('apple', '1');
      upstream.put('banana', '2');
      await using hub = await runningHub({ servers: [upstream.entry('notes')] });
      await hub.isLive('notes');
      const client = await sdkClient(hub, clientEra);
      await eventually('tools', async () =>
        (await client.listTools()).tools.some(({ name }) => name === 'notes_slow_note'),
      );

      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([{ uriTemplate: 'note://{name}' }]);
      const ref = { type: 'ref/resource' as const, uri: 'note://{name}' };
      const { completion } = await client.complete({ ref, argument: { name: 'name', value: 'b' } });
      expect(completion.values).toEqual(['banana']);

      const { prompts } = await client.listPrompts();
      expect(prompts).toMatchObject([{ name: 'notes_about_note', arguments: [{ name: 'name', required: true }] }]);
      const { messages } = await client.getPrompt({ name: 'notes_about_note', arguments: { name: 'apple' } });
      expect(messages).toMatchObject([{ content: { text: 'Tell me about apple.' } }]);

      const giveUp = new AbortController();
      const progress: unknown[] = [];
      const calling = client.callTool(
        { name: 'notes_slow_note', arguments: {} },
        { signal: giveUp.signal, onprogress: (each) => progress.push(each) },
      );
      const given = expect(calling).rejects.toThrow();
      await eventually('progress', () => progress.length === 1);
      expect(progress).toMatchObject([{ progress: 1, total: 2 }]);
      giveUp.abort();
      await given;
      await eventually('the server to hear of it', () => upstream.cancelled === 1);
      await client.close();
    });
  });
});

describe('servers at the common address', () => {
  it('have one subscription per resource, from its first client to its last', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', '1');
    await using hub = await runningHub({ servers: [upstream.entry('notes', false)] });
    await hub.isLive('notes');
    const before = upstream.watched;
    const clients = await Promise.all(Array.from({ length: 12 }, () => hub.connect('modern')));
    await Promise.all(clients.map((client) => client.subscribe('note://a')));
    expect(upstream.watched).toBe(before + 1);
    // One stream for the lists, and one for the subscriptions that were added later.
    expect(upstream.server.stats().subscribers).toBeLessThanOrEqual(2);
    upstream.put('a', '2');
    await Promise.all(clients.map((client) => told(client, 'note://a')));
    await Promise.all(clients.map((client) => client.close()));
    await eventually('the last to be gone', () => upstream.watched <= before);
  });

  it('with the same URI: the first server has it, the other is reached by its tidings:// address', async () => {
    await using one = await NotesUpstream.start('modern');
    await using two = await NotesUpstream.start('legacy');
    one.put('a', 'of one');
    two.put('a', 'of two');
    two.put('b', 'only of two');
    await using hub = await runningHub({ servers: [one.entry('one'), two.entry('two')] });
    await hub.isLive('one', 'two');
    const client = await hub.connect('modern');
    const address = `tidings://two/${encodeURIComponent('note://a')}`;
    // The first has a template for every note, so another server cannot take one over by listing it.
    expect(await client.listAll()).toEqual(['note://a', address, `tidings://two/${encodeURIComponent('note://b')}`]);
    await expect(client.read('note://b')).rejects.toThrow();
    expect(await client.read('note://a')).toBe('of one');
    expect(await client.read(address)).toBe('of two');
    await client.subscribe('note://a', address);
    two.put('a', 'of two again');
    await told(client, address);
    expect(times(client, 'note://a')).toBe(0);
    await client.close();
  });

  it("with the same URI in tool results: each result links to the server's own resource", async () => {
    await using one = await NotesUpstream.start('modern');
    await using two = await NotesUpstream.start('modern');
    one.put('a', 'of one');
    two.put('a', 'of two');
    two.put('b', 'only of two');
    await using hub = await runningHub({ servers: [one.entry('one'), two.entry('two')] });
    await hub.isLive('one', 'two');
    const client = await sdkClient(hub, 'modern');
    const { content } = await client.callTool({ name: 'two_link_notes' });
    const [a, b] = ['note://a', 'note://b'].map((uri) => `tidings://two/${encodeURIComponent(uri)}`);
    expect(content).toMatchObject([
      { type: 'resource_link', uri: a },
      { type: 'resource', resource: { uri: a } },
      { type: 'resource_link', uri: b },
      { type: 'resource', resource: { uri: b } },
    ]);
    expect(await client.callTool({ name: 'one_link_notes' })).toMatchObject({ content: [{ uri: 'note://a' }, {}] });
    await client.close();
  });

  it('are not affected by an unavailable one', async () => {
    await using well = await NotesUpstream.start('modern');
    well.put('a', 'here');
    const gone = await NotesUpstream.start('modern', 'gone');
    gone.put('x', 'soon away');
    await using hub = await runningHub({ servers: [gone.entry('gone'), well.entry('well')] });
    await hub.isLive('gone', 'well');
    const client = await hub.connect('legacy');
    expect(await client.read('gone://x')).toBe('soon away');
    await gone[Symbol.asyncDispose]();
    await eventually('it to be away', () => hub.status('gone')?.state === 'backoff');
    await expect(client.read('gone://x')).rejects.toMatchObject({ data: { code: 'UNAVAILABLE' } });
    expect(await client.read('note://a')).toBe('here');
    await client.close();
  });

  it('can each be reached alone, with unprefixed names', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', '1');
    await using hub = await runningHub({ servers: [upstream.entry('notes')] });
    await hub.isLive('notes');
    const client = await hub.connect('modern', '/mcp/notes');
    expect(await client.read('note://a')).toBe('1');
    await eventually('tools', async () => (await client.call('put_note', { name: 'a', text: '2' })).includes('saved'));
    expect(await client.read('note://a')).toBe('2');
    expect((await hub.get('/mcp/nobody')).status).toBe(404);
    await client.close();
  });

  it('are added and removed with the configuration', async () => {
    await using one = await NotesUpstream.start('modern');
    await using two = await NotesUpstream.start('legacy', 'other');
    one.put('a', '1');
    two.put('b', '2');
    await using hub = await runningHub({ servers: [one.entry('one')] });
    await hub.isLive('one');
    const client = await hub.connect('modern');
    await client.subscribe('note://a');
    hub.hub.apply({ servers: [one.entry('one'), two.entry('two')], tokens: [] });
    await eventually('the second', async () => (await client.listAll()).includes('other://b'));
    hub.hub.apply({ servers: [two.entry('two')], tokens: [] });
    await eventually('the first to be gone', async () => !(await client.listAll()).includes('note://a'));
    expect(client.listChanges.length).toBeGreaterThanOrEqual(2);
    await client.close();
  });
});

describe('for hosts that ignore notifications', () => {
  it('wait_for_change returns the change of its resource although many others change', async () => {
    await using upstream = await NotesUpstream.start('modern');
    const names = Array.from({ length: 250 }, (_, n) => `busy-${n}`);
    for (const name of ['quiet', ...names]) upstream.put(name, '1');
    await using hub = await runningHub({ servers: [upstream.entry('notes')] });
    await hub.isLive('notes');
    const client = await hub.connect('modern');
    const { cursor } = JSON.parse(await client.call('list_changes'));
    for (const name of [...names, 'quiet']) upstream.put(name, '2');
    const { journal } = hub.hub.tracker;
    const isQuiet = ({ event }: JournalEntry) =>
      event.type === 'resource_update' && event.resourceUri === 'note://quiet';
    await eventually('the last of them', () => journal.read({ limit: 1000 }).entries.some(isQuiet));
    const waiting = client.call('wait_for_change', { uris: ['note://quiet'], timeout_seconds: 1, since: cursor });
    expect(JSON.parse(await waiting)).toMatchObject({
      events: [{ type: 'resource_update', resourceUri: 'note://quiet' }],
    });
    await client.close();
  });

  it('wait_for_change reports changes of unlisted resources, also between two calls', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.unlisted.add('hidden');
    upstream.put('hidden', '1');
    await using hub = await runningHub({ servers: [upstream.entry('notes')] });
    await hub.isLive('notes');
    const client = await hub.connect('modern');
    const wait = async (since?: string) =>
      JSON.parse(await client.call('wait_for_change', { uris: ['note://hidden'], timeout_seconds: 0.05, since }));
    const { cursor, events } = await wait();
    expect(events).toEqual([]);
    upstream.put('hidden', '2');
    await eventually('the journal to have it', () => hub.hub.tracker.journal.cursor !== cursor);
    expect(await wait(cursor)).toMatchObject({ events: [{ type: 'resource_update', resourceUri: 'note://hidden' }] });
    await client.close();
  });

  it('wait_for_change refuses to wait for a resource that no server can have', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', '1');
    await using hub = await runningHub({ servers: [upstream.entry('notes', false)] });
    await hub.isLive('notes');
    const client = await hub.connect('modern');
    const answer = client.call('wait_for_change', { uris: ['note://a'], timeout_seconds: 60 });
    await expect(answer).rejects.toThrow('The server "notes" is not tracked');
    await client.close();
  });

  it('wait_for_change and list_changes use the URIs of the hub', async () => {
    await using one = await NotesUpstream.start('modern');
    await using two = await NotesUpstream.start('modern');
    one.put('a', 'of one');
    two.put('a', 'of two');
    await using hub = await runningHub({ servers: [one.entry('one'), two.entry('two')] });
    await hub.isLive('one', 'two');
    const client = await hub.connect('modern');
    const addressIn = (id: string) => `tidings://${id}/${encodeURIComponent('note://a')}`;
    const { cursor: since } = JSON.parse(await client.call('list_changes'));
    const waitFor = (uri: string) => client.call('wait_for_change', { uris: [uri], timeout_seconds: 60, since });
    const [plain, ofOne, ofTwo] = [waitFor('note://a'), waitFor(addressIn('one')), waitFor(addressIn('two'))];
    two.put('a', 'of two again');
    expect(JSON.parse(await ofTwo).events).toMatchObject([{ serverId: 'two', resourceUri: addressIn('two') }]);
    one.put('a', 'of one again');
    for (const waiting of [plain, ofOne]) {
      expect(JSON.parse(await waiting).events).toMatchObject([{ serverId: 'one', resourceUri: 'note://a' }]);
    }
    await client.close();
  });

  it('list_changes returns changes, and wait_for_change waits for them', async () => {
    await using upstream = await NotesUpstream.start('modern');
    upstream.put('a', '1');
    upstream.put('b', '1');
    await using hub = await runningHub({ servers: [upstream.entry('notes')] });
    await hub.isLive('notes');
    const client = await hub.connect('legacy');
    const { cursor } = JSON.parse(await client.call('list_changes'));
    const waiting = client.call('wait_for_change', { uris: ['note://b'], timeout_seconds: 60, since: cursor });
    upstream.put('a', '2');
    upstream.put('b', '2');
    expect(JSON.parse(await waiting)).toMatchObject({ events: [{ type: 'resource_update', resourceUri: 'note://b' }] });
    const { events } = JSON.parse(await client.call('list_changes', { since: cursor }));
    expect(events.map(({ resourceUri }: { resourceUri: string }) => resourceUri)).toContain('note://a');
    const nothing = JSON.parse(await client.call('wait_for_change', { uris: ['note://none'], timeout_seconds: 0.05 }));
    // On a busy machine the server may have counted as silent: a gap concerns every resource.
    expect(nothing.events.filter(({ type }: { type: string }) => type !== 'gap')).toEqual([]);
    await client.close();
  });
});
