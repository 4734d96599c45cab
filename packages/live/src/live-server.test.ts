import { describe, expect, expectTypeOf, it } from 'vitest';
import { liveServer } from './live-server.ts';
import { FakeClock, FakeFeed, connectMemory, eventually, told } from './testing.ts';

const silentLog = { warn: () => undefined, error: () => undefined };

function create(options = {}) {
  return liveServer({ name: 'test', version: '1.0.0', log: silentLog, ...options });
}

describe('a route handle', () => {
  it('needs parameters only where the template has some', async () => {
    const server = create();
    const fixed = server.resource('a://fixed', { read: () => 1 });
    const tail = server.resource('a://tail{/n}', { read: ({ n = '10' }) => n });
    const full = server.resource('a://full/{x}', { read: ({ x }) => x });
    expect([fixed.uri(), tail.uri(), tail.uri({ n: '5' }), full.uri({ x: 'a b' })]).toEqual([
      'a://fixed',
      'a://tail',
      'a://tail/5',
      'a://full/a%20b',
    ]);
    expectTypeOf(full.changed).parameters.toEqualTypeOf<[params: { x: string }]>();
    const client = await connectMemory(server, 'modern');
    await client.subscribe('a://fixed', 'a://tail');
    fixed.changed();
    tail.changed();
    await told(client, 'a://fixed');
    await told(client, 'a://tail');
    await client.close();
  });
});

describe.each(['modern', 'legacy'] as const)('for a %s client that is connected', (era) => {
  const listChange = 'notifications/resources/list_changed';

  it('adding and removing a resource notifies of the resource and of the list', async () => {
    const server = create({ windowMs: 0 });
    const names = new Set(['a']);
    const route = server.resource('n://{name}', {
      read: ({ name }) => name,
      list: () => [...names].map((name) => ({ name })),
    });
    const client = await connectMemory(server, era);
    await client.subscribe('n://b');
    for (const [n, act] of [() => names.add('b'), () => names.delete('b')].entries()) {
      act();
      if (n === 0) route.added({ name: 'b' });
      else route.removed({ name: 'b' });
      await told(client, 'n://b', n);
      await eventually('the list', () => client.listChanges.filter((each) => each === listChange).length > n);
      expect(await client.listAll()).toEqual([...names].map((name) => `n://${name}`));
    }
    await client.close();
  });

  it('a route that is added changes the list, also the first one', async () => {
    const server = create();
    const client = await connectMemory(server, era);
    expect(await client.listAll()).toEqual([]);
    await client.subscribe();
    const route = server.resource('n://fixed', { read: () => 'here' });
    await eventually('the list', () => client.listChanges.includes(listChange));
    expect(await client.listAll()).toEqual(['n://fixed']);
    await client.subscribe('n://fixed');
    expect(await client.read('n://fixed')).toBe('here');
    route.changed();
    await told(client, 'n://fixed');
    await client.close();
  });

  it('resources are served with any other capabilities', async () => {
    const server = create({ capabilities: { resources: undefined, logging: {} } });
    server.resource('n://fixed', { read: () => 'here' });
    const client = await connectMemory(server, era);
    expect(await client.listAll()).toEqual(['n://fixed']);
    await client.close();
  });

  it('tools and prompts may be added later, or hidden from a client, if they are advertised', async () => {
    const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true } };
    const server = create({ capabilities });
    server.tool('hidden', { visibleTo: () => false }, () => '');
    const client = await connectMemory(server, era);
    await client.subscribe();
    await expect(client.call('hidden')).rejects.toThrow('not found');
    server.tool('late', {}, () => 'here');
    server.prompt('late', {}, () => 'here');
    await eventually('both lists', () => new Set(client.listChanges).size === 2);
    expect(await client.call('late')).toBe('here');
    await client.close();
  });

  it('a removed route changes the list and its subscribed resources', async () => {
    const server = create({ windowMs: 0 });
    server.resource('n://{x}', { read: ({ x }) => x });
    const watching: string[] = [];
    const define = () =>
      server.resource('m://{x}', {
        read: ({ x }) => x,
        topics: () => ['all'],
        watch: ({ x }) => {
          watching.push(`begin ${x}`);
          return () => void watching.push(`end ${x}`);
        },
      });
    const route = define();
    const client = await connectMemory(server, era);
    await client.subscribe('n://a', 'm://a', 'M://a');
    expect(watching).toEqual(['begin a']);
    route.remove();
    await told(client, 'm://a');
    await told(client, 'M://a');
    await eventually('the list', () => client.listChanges.includes(listChange));
    await expect(client.read('m://a')).rejects.toThrow();
    expect(watching).toEqual(['begin a', 'end a']);
    // The subscription stays: it follows the next route.
    define();
    await told(client, 'm://a', 1);
    expect(watching).toEqual(['begin a', 'end a', 'begin a']);
    server.announce('all');
    await told(client, 'm://a', 2);
    expect(client.updates).not.toContain('n://a');
    await client.close();
  });

  it('a subscription follows the route that serves its URI', async () => {
    const server = create({ windowMs: 0 });
    server.resource('n://{x}', { read: () => 'any', topics: () => ['any'] });
    const client = await connectMemory(server, era);
    await client.subscribe('n://special', 'n://other');
    const special = server.resource('n://special', { read: () => 'special', topics: () => ['special'] });
    await told(client, 'n://special');
    expect(await client.read('n://special')).toBe('special');
    server.announce('special');
    await told(client, 'n://special', 1);
    expect(client.updates).not.toContain('n://other');
    special.remove();
    await told(client, 'n://special', 2);
    expect(await client.read('n://special')).toBe('any');
    server.announce('any');
    await told(client, 'n://special', 3);
    await told(client, 'n://other');
    await client.close();
  });

  it('a URI can be announced in any spelling', async () => {
    const server = create({ windowMs: 0, ignoreTrailingSlash: true });
    server.resource('n://{x}', { read: () => 1 });
    server.resource('sum://all', { read: () => 1, topics: () => ['n://a b', 'plain topic'] });
    server.alias('old://{x}', 'n://{x}');
    const client = await connectMemory(server, era);
    await client.subscribe('n://a%20b', 'n://é', 'sum://all');
    const spellings = ['n://a b', 'N://a%20b', 'n://%61%20b', 'old://a b', 'n://a b/'];
    for (const [count, spelling] of spellings.entries()) {
      server.announce(spelling);
      await told(client, 'n://a%20b', count);
      await told(client, 'sum://all', count);
    }
    server.announce('n://%c3%a9', 'n://%zz', 'plain topic');
    await told(client, 'n://é');
    await told(client, 'sum://all', spellings.length);
    await client.close();
  });
});

it('makes URIs canonical that come from a feed', async () => {
  const feed = new FakeFeed();
  const server = create({ feed });
  server.resource('n://{x}', { read: () => 1 });
  const client = await connectMemory(server, 'modern');
  await client.subscribe('n://a%20b');
  feed.announce(['n://a b']);
  await told(client, 'n://a%20b');
  await client.close();
});

it('adds nothing for a template that is refused', () => {
  const server = create();
  server.resource('a://x/{z}', { read: () => 1 });
  expect(() => server.resource('a://x{/y}', { read: () => 1 })).toThrow('match the same URIs');
  expect(() => server.definition.directory.resolve('a://x', { era: 'modern', transport: 'memory' })).toThrow(
    'No such resource',
  );
});

it('releases everything when it is closed', async () => {
  const server = create();
  const log: string[] = [];
  server.onClose(() => void log.push('timer'));
  server.onClose(async () => void log.push('store'));
  await server.close();
  await server.close();
  expect(log).toEqual(['timer', 'store']);
});

it('list changes are notified at most once per window', async () => {
  const clock = new FakeClock();
  const server = create({ clock, windowMs: 0, listWindowMs: 1000 });
  server.resource('a://{id}', { read: () => '' });
  const client = await connectMemory(server, 'modern');
  await client.subscribe('a://1');
  for (let change = 0; change < 10; change += 1) server.listChanged();
  clock.tick();
  await eventually('the first', () => client.listChanges.length === 1);
  clock.advance(999);
  server.announce('a://1');
  clock.tick();
  await told(client, 'a://1');
  expect(client.listChanges).toHaveLength(1);
  clock.advance(1);
  await eventually('the last', () => client.listChanges.length === 2);
  await client.close();
});

it('resources of another server are passed on, and subscriptions are acknowledged once they are active there', async () => {
  const steps: string[] = [];
  let watching = 0;
  let hear: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => (hear = resolve));
  const server = create({
    resources: {
      completes: false,
      authorizes: false,
      permits: () => true,
      resolve: (uri: string) => ({
        canonical: uri,
        topics: [uri],
        watch: () => {
          watching += 1;
          return { ready: heard.then(() => void steps.push('heard')), end: () => void (watching -= 1) };
        },
      }),
      list: async () => ({ items: [{ uri: 'b://1', name: 'one' }] }),
      templates: () => ({ items: [] }),
      completion: () => ({ completer: undefined, permits: () => true }),
      read: async (_caller: unknown, uri: string) => ({ contents: [{ uri, text: 'from elsewhere' }] }),
    },
  });
  for (const era of ['modern', 'legacy'] as const) {
    const client = await connectMemory(server, era);
    expect(await client.listAll()).toEqual(['b://1']);
    expect(await client.read('b://1')).toBe('from elsewhere');
    const subscribing = client.subscribe('b://1').then(() => steps.push('confirmed'));
    hear();
    await subscribing;
    expect(steps.indexOf('heard')).toBeLessThan(steps.indexOf('confirmed'));
    await eventually('only the subscriber watches', () => watching === 1);
    server.announce('b://1');
    await told(client, 'b://1');
    await client.close();
    await eventually('the end of watching', () => watching === 0);
    steps.splice(0);
  }
});
