// Wanted against active subscriptions: large servers, limits, servers that advertise more than they deliver, and
// watchers of untracked resources.
import { setImmediate } from 'node:timers/promises';
import { type LiveServer, liveServer, serveHttp } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Consumer } from './consumer.ts';
import { HttpUpstream } from './http-upstream.ts';
import { ScriptedServer } from './scripted-server.ts';
import { serveSdk } from './sdk-http.ts';
import { tracked } from './tracked.ts';

function notes(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`note://${n}`, `text ${n}`]));
}

const quickPoll = { usualMs: 50, shortestMs: 50, longestMs: 100 };

describe('a server of the modern era', () => {
  it('that limits the URIs per stream is followed on several streams', async () => {
    const server = limited(40);
    const running = await serveHttp(server.live);
    try {
      const entry = { id: 's', url: running.url, headers: {}, enabled: true, trackResources: true };
      await using t = await tracked([entry]);
      expect(await t.isLive('s')).toMatchObject({ resources: 100, subscribed: 100, polled: 0 });
      expect(running.endpoint.open.streams).toBeGreaterThan(1);
      for (const n of [0, 50, 99]) server.change(n);
      for (const n of [0, 50, 99]) await t.events.told(`item://${n}`);
      expect(t.events.all('resource_error')).toEqual([]);
    } finally {
      await running.close();
      await server.live.close();
    }
  });

  it('loses no update while its streams are replaced', async () => {
    await using upstream = await HttpUpstream.start('modern', notes(50));
    // Regular rereads, made in case notifications are lost, would hide a lost update.
    const settings = { windowMs: 20, silentMs: 3_600_000 };
    await using t = await tracked([upstream.entry('s')], { settings });
    await t.isLive('s');
    const consumer = await Consumer.start(t.tracker, 's', t.events);
    // Every second removal replaces the streams while other resources change.
    for (let n = 0; n < 40; n += 1) {
      if (n % 4 === 0) upstream.remove(String(n));
      if (n % 4 === 2) upstream.put(`new-${n}`, 'new');
      for (const name of ['41', '42', '43']) upstream.put(name, `version ${n}`);
      if (n % 10 !== 9) await setImmediate();
      else await eventually('the list', () => t.status('s').resources === Object.keys(upstream.resources).length);
    }
    await consumer.agreesWith(() => upstream.resources);
    await eventually('one stream or a few', () => upstream.open.streams <= 4);
  });

  it('that acknowledges no URI is polled instead', async () => {
    const texts = { a: 'one' };
    const handler = createMcpHandler(
      () => {
        const server = new McpServer({ name: 'mute', version: '1.0.0' }, { capabilities: { resources: {} } });
        server.registerResource('a', 'mute://a', {}, () => ({ contents: [{ uri: 'mute://a', text: texts.a }] }));
        return server;
      },
      { legacy: 'reject' },
    );
    await using sdk = await serveSdk(handler);
    await using t = await tracked([sdk.entry], { settings: { poll: quickPoll, pollListMs: 100 } });
    expect(await t.isLive('s')).toMatchObject({ era: 'modern', subscribed: 0, polled: 1 });
    expect(t.status('s').detail).toContain('polled');
    await eventually('it to be read once', () => t.status('s').hashed === 1);
    texts.a = 'two';
    await t.events.told('mute://a');
  });
});

describe('a server of the 2025 era', () => {
  it('that has no subscriptions is polled, and only real changes are reported', async () => {
    await using server = await ScriptedServer.create({
      resources: notes(3),
      capabilities: { resources: {} },
      logRequests: true,
    });
    await using t = await tracked([server.entry('s')], { settings: { poll: quickPoll, pollListMs: 50 } });
    expect(await t.isLive('s')).toMatchObject({ subscribed: 0, polled: 3 });
    expect(t.status('s').detail).toBe('The server sends no notifications; 3 resources are polled.');
    await eventually('everything to be read once', () => t.status('s').hashed === 3);
    await server.put('note://1', 'changed');
    await t.events.told('note://1');
    await server.put('note://new', 'new');
    await eventually('the new one', () => t.events.all('list_changed').length === 1);
    await server.put('note://new', 'newer');
    await eventually('the new one to be read', () => t.status('s').hashed === 4);
    await server.put('note://new', 'newest');
    await t.events.told('note://new');
    expect(t.events.timesTold('note://0')).toBe(0);
    expect((await server.requests()).join()).not.toContain('subscribe');
  });

  it('that is polled: changes of contents above the size limit are reported too', async () => {
    const large = (text: string) => `large:5000 ${text}`;
    await using server = await ScriptedServer.create({
      resources: { 'a://1': large('one') },
      capabilities: { resources: {} },
      logRequests: true,
    });
    const settings = { poll: quickPoll, maxContentBytes: 1000, windowMs: 0 };
    await using t = await tracked([server.entry('s')], { settings });
    await t.isLive('s');
    const reads = async () => (await server.requests()).filter((each) => each === 'resources/read a://1').length;
    await eventually('it to have been polled', async () => (await reads()) > 3);
    expect(t.events.updates).toEqual([]);
    for (const [n, text] of [large('two'), 'small', large('three')].entries()) {
      await server.put('a://1', text);
      await eventually(`change ${n + 1} to be told`, () => t.events.updates.length === n + 1);
    }
  });

  it('that accepts subscriptions over HTTP and has no notification stream is polled', async () => {
    const texts = { a: 'one' };
    const handler = createMcpHandler(
      () => {
        const options = { capabilities: { resources: { subscribe: true } } };
        const server = new McpServer({ name: 'stateless', version: '1.0.0' }, options);
        server.registerResource('a', 'mute://a', {}, () => ({ contents: [{ uri: 'mute://a', text: texts.a }] }));
        return server;
      },
      { legacy: 'stateless' },
    );
    // Only its legacy side: `server/discover` is an unknown method.
    await using sdk = await serveSdk(handler, (method) => method !== 'server/discover');
    await using t = await tracked([sdk.entry], { settings: { poll: quickPoll } });
    expect(await t.isLive('s')).toMatchObject({ era: 'legacy', subscribed: 0, polled: 1 });
    await eventually('it to be read once', () => t.status('s').hashed === 1);
    texts.a = 'two';
    await t.events.told('mute://a');
  });
});

describe('a watcher', () => {
  it('subscribes with the first watcher and unsubscribes with the last, also if nothing is tracked', async () => {
    await using server = await ScriptedServer.create({ resources: notes(3), logRequests: true });
    await using t = await tracked([server.entry('s', { trackResources: false })]);
    await t.isLive('s');
    const upstream = t.tracker.upstream('s');
    const told: string[] = [];
    const first = upstream.watch('note://1', (uri) => told.push(`first ${uri}`));
    await first.ready;
    const second = upstream.watch('note://1', (uri) => told.push(`second ${uri}`));
    await second.ready;
    await server.put('note://1', 'changed');
    await eventually('both to be told', () => told.length === 2);
    first.end();
    first.end();
    await server.put('note://1', 'changed again');
    await eventually('the other one to be told', () => told.length === 3);
    expect(told[2]).toBe('second note://1');
    second.end();
    await eventually('it to be given up', async () =>
      (await server.requests()).includes('resources/unsubscribe note://1'),
    );
    const subscribed = (await server.requests()).filter((line) => line.startsWith('resources/subscribe'));
    expect(subscribed).toEqual(['resources/subscribe note://1']);
    expect(t.events.updates).toEqual([]);
  });

  it('that ends before its subscription is active leaves no subscription behind', async () => {
    await using server = await ScriptedServer.create({ resources: notes(3) });
    await using t = await tracked([server.entry('s', { trackResources: false })]);
    await t.isLive('s');
    const watch = t.tracker.upstream('s').watch('note://1', () => undefined);
    watch.end();
    await watch.ready;
    const isEmpty = ({ wanted, subscribed, polled }: Record<'wanted' | 'subscribed' | 'polled', number>) =>
      wanted + subscribed + polled === 0;
    await eventually('nothing to be wanted', () => isEmpty(t.status('s')));
    expect(t.status('s').hashed).toBe(0);
  });

  it('is notified of changes made while the server was unavailable', async () => {
    await using server = await ScriptedServer.create({ resources: notes(3) });
    await using t = await tracked([server.entry('s', { trackResources: false })]);
    const { pid = 0 } = await t.isLive('s');
    const told: string[] = [];
    await t.tracker.upstream('s').watch('note://1', (uri) => told.push(uri)).ready;
    await eventually('it to be read once', () => t.status('s').hashed === 1);
    process.kill(pid, 'SIGKILL');
    await server.put('note://1', 'changed');
    await eventually('the change to be told', () => told.length === 1);
  });

  it('shares its connection with tool calls, and the list of tools is read when it changes', async () => {
    const server = liveServer({ name: 'tools', version: '1.0.0' });
    server.tool('echo', {}, () => 'hello');
    await using t = await tracked([{ id: 'b', builtin: 'tools', enabled: true, trackResources: false }], {
      builtins: { tools: () => server },
    });
    await t.isLive('b');
    const { definitions } = t.tracker.upstream('b');
    const names = () => definitions.offered('tools').map(({ name }) => name);
    onTestFinished(definitions.follow(() => undefined));
    const answer = await t.tracker.upstream('b').use((client) => client.callTool({ name: 'echo' }));
    expect(answer.content).toEqual([{ type: 'text', text: 'hello' }]);
    server.tool('another', {}, () => '');
    await eventually('both tools', () => names().join() === 'echo,another');
    await server.close();
  });

  it('gets an error with the reason while the server is unavailable', async () => {
    await using server = await ScriptedServer.create({ resources: notes(1) });
    await using t = await tracked([
      server.entry('off', { enabled: false }),
      server.entry('gone', { command: '/nowhere' }),
    ]);
    await eventually('backoff', () => t.status('gone').state === 'backoff');
    await expect(t.tracker.read('off', 'note://0')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The server "off" is not available: it is disabled.',
    });
    await expect(t.tracker.upstream('gone').use((client) => client.listTools())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('"/nowhere" could not be started'),
    });
    expect(() => t.tracker.upstream('unknown')).toThrow('There is no server "unknown". Configured: off, gone.');
  });
});

function limited(most: number): { live: LiveServer; change(n: number): void } {
  const live = liveServer({ name: 'limited', version: '1.0.0', limits: { urisPerSubscriber: most } });
  const versions = new Map<string, number>();
  const item = live.resource('item://{n}', {
    read: ({ n }) => String(versions.get(n) ?? 0),
    list: () => Array.from({ length: 100 }, (_, n) => ({ n: String(n) })),
  });
  return {
    live,
    change: (n) => {
      versions.set(String(n), (versions.get(String(n)) ?? 0) + 1);
      item.changed({ n: String(n) });
    },
  };
}
