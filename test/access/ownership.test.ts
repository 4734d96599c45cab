// The server that a URI belongs to, for callers who see all servers and for callers who see some.
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { type TestClient, eventually, told } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { runningHub } from '../hub/running-hub.ts';
import { SseClient } from '../support/wire/sse-client.ts';
import { type SdkHttp, serveSdk } from '../track/sdk-http.ts';
import { lenientServer } from './lenient-server.ts';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const addressIn = (id: string, uri: string) => `tidings://${id}/${encodeURIComponent(uri)}`;
const timesTold = ({ updates }: TestClient, uri: string) => updates.filter((each) => each === uri).length;

/** A server that lists these URIs and answers reads with its own name. */
function listing(name: string, ...uris: string[]): Promise<SdkHttp> {
  return serveSdk(
    createMcpHandler(() => {
      const server = new McpServer({ name, version: '1.0.0' }, { capabilities: { resources: {} } });
      for (const uri of uris) server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: name }] }));
      return server;
    }),
  );
}

describe('a URI of two servers', () => {
  it('belongs to the first server, which has a template for it, although a later one lists it', async () => {
    await using docs = await lenientServer('docs', { 'public/handbook': 'the real one' });
    await using thief = await listing('thief', 'docs://corp/public/handbook', 'docs://corp/new', 'docs://elsewhere');
    await using hub = await runningHub({ servers: [docs.entry, { ...thief.entry, id: 'thief' }] });
    await hub.isLive('docs', 'thief');
    const client = await hub.connect('modern');
    expect(await client.read('docs://corp/public/handbook')).toContain('the real one');
    // The first server does not list it, but has a template for it.
    await expect(client.read('docs://corp/new')).rejects.toThrow();
    expect(await client.read(addressIn('thief', 'docs://corp/new'))).toBe('thief');
    // Outside of the template: the first server has only the scheme in common, and the other one lists it.
    expect(await client.read('docs://elsewhere')).toBe('thief');
    expect(await client.listAll()).toEqual([
      'docs://corp/public/handbook',
      addressIn('thief', 'docs://corp/public/handbook'),
      addressIn('thief', 'docs://corp/new'),
      'docs://elsewhere',
    ]);
    await client.close();
  });

  it('belongs to the first server with its scheme if no server lists it or has a template for it', async () => {
    await using one = await listing('one', 'page://one');
    await using two = await listing('two', 'page://two');
    const servers = [
      { ...one.entry, id: 'one' },
      { ...two.entry, id: 'two' },
    ];
    await using hub = await runningHub({ servers });
    await hub.isLive('one', 'two');
    const client = await hub.connect('modern');
    expect(await client.read('page://two')).toBe('two');
    await expect(client.read('page://three')).rejects.toThrow('page://three');
    await client.close();
  });
});

describe('a token that is bound to a server', () => {
  it('uses the plain URIs of that server on every route, even if other servers have them too', async () => {
    await using one = await NotesUpstream.start('modern');
    await using two = await NotesUpstream.start('legacy');
    one.put('a', 'of one');
    two.put('a', 'of two');
    two.put('b', 'only of two');
    await using hub = await runningHub({
      servers: [one.entry('one'), two.entry('two')],
      config: { tokens: [{ env: 'BOUND', servers: ['two'], tools: ['two_link_notes'] }] },
      token: 'whole',
      env: { BOUND: 'bound' },
    });
    await hub.isLive('one', 'two');
    expect(await (await hub.get('/resources/note%3A%2F%2Fa', bearer('bound'))).text()).toBe('of two');
    expect(await hub.json('/api/servers', bearer('bound'))).toMatchObject({ servers: [{ id: 'two', detail: '' }] });
    const events = await SseClient.open(`${hub.url}/api/mcp/resource-events`, bearer('bound'));
    for (const era of ['modern', 'legacy'] as const) {
      const whole = await hub.connect(era, '/mcp', 'whole');
      const bound = await hub.connect(era, '/mcp', 'bound');
      expect(await bound.listAll()).toEqual(['note://a', 'note://b']);
      expect(await bound.read('note://a')).toBe(await whole.read(addressIn('two', 'note://a')));
      expect(await bound.call('two_link_notes').catch(String)).not.toContain('not found');
      expect(await bound.call('two_put_note', { name: 'a', text: 'x' }).catch(String)).toContain('not found');
      expect(await bound.call('one_link_notes').catch(String)).toContain('not found');
      // Both watch the same URI, and each is notified by its own server.
      await whole.subscribe('note://a');
      await bound.subscribe('note://a');
      two.put('a', `of two, ${era}`);
      await told(bound, 'note://a');
      one.put('a', `of one, ${era}`);
      await told(whole, 'note://a');
      expect([timesTold(whole, 'note://a'), timesTold(bound, 'note://a')]).toEqual([1, 1]);
      const changes = JSON.parse(await bound.call('list_changes'));
      expect(JSON.stringify(changes)).toContain('"note://a"');
      expect(JSON.stringify(changes)).not.toMatch(/tidings:|"one"/);
      await whole.close();
      await bound.close();
    }
    await eventually('the events', () => events.updates.includes('note://a'));
    expect(JSON.stringify(events.frames)).not.toContain('"one"');
    events.close();
  });

  it('is still notified of a URI that another of its servers takes over', async () => {
    await using one = await NotesUpstream.start('modern');
    await using two = await NotesUpstream.start('modern');
    await using three = await NotesUpstream.start('modern');
    for (const upstream of [one, two, three]) upstream.put('a', 'first');
    const entries = [one.entry('one'), two.entry('two'), three.entry('three')];
    const tokens = [{ env: 'BOUND', servers: ['two', 'three'] }];
    await using hub = await runningHub({ servers: entries, config: { tokens }, env: { BOUND: 'bound' } });
    await hub.isLive('one', 'two', 'three');
    const bound = await hub.connect('modern', '/mcp', 'bound');
    await bound.subscribe('note://a');
    two.put('a', 'second');
    await told(bound, 'note://a');
    hub.hub.apply({ servers: entries.filter(({ id }) => id !== 'two'), tokens });
    await told(bound, 'note://a', 1);
    three.put('a', 'third');
    await told(bound, 'note://a', 2);
    expect(await bound.read('note://a')).toBe('third');
    one.put('a', 'not heard of');
    await bound.close();
  });
});

describe('a template', () => {
  it('that would make a regular expression backtrack for ever is matched quickly', async () => {
    const variables = 'abcdefghijkl'.split('').map((name) => `{+${name}}`);
    const templates = [`evil://${variables.join('')}!`, `evil://${variables.join('a')}!`, `${variables.join('')}!`];
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'evil', version: '1.0.0' }, { capabilities: { resources: {} } });
      const resourceTemplates = templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate }));
      server.server.setRequestHandler('resources/list', () => ({ resources: [{ uri: 'evil://one', name: 'one' }] }));
      server.server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
      server.server.setRequestHandler('resources/read', ({ params }) => ({
        contents: [{ uri: params.uri, text: 'from evil' }],
      }));
      return server;
    });
    await using evil = await serveSdk(handler);
    await using notes = await NotesUpstream.start('modern');
    notes.put('a', 'here');
    await using hub = await runningHub({
      servers: [{ ...evil.entry, id: 'evil' }, notes.entry('notes')],
      config: { tokens: [{ env: 'READER', allow: ['note://**', 'evil://a*'] }] },
      token: 'whole',
      env: { READER: 'part' },
    });
    await hub.isLive('evil', 'notes');
    const long = 'a'.repeat(4000);
    for (const token of ['whole', 'part']) {
      const client = await hub.connect('modern', '/mcp', token);
      expect(await client.read(`evil://${long}`)).toBe('from evil');
      // A template without a fixed scheme claims no URIs of other servers.
      expect(await client.read('note://a')).toBe('here');
      await expect(client.read(`other://${long}!`)).rejects.toThrow();
      expect(await client.listAll()).toContain('note://a');
      await client.close();
    }
  });
});
