// Watches, completion and aliases of routes, as clients see them.
import { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { liveServer } from './live-server.ts';
import { serveMemory } from './serve/memory.ts';
import { connectMemory, eventually, told } from './testing.ts';

const silentLog = { warn: () => undefined, error: () => undefined };

function create(options = {}) {
  return liveServer({ name: 'test', version: '1.0.0', log: silentLog, ...options });
}

async function connect(server: ReturnType<typeof create>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(serveMemory(server));
  return client;
}

describe('watch', () => {
  it('is ended even if it begins slowly', async () => {
    const failures: object[] = [];
    const log = { warn: () => undefined, error: (fields: object) => void failures.push(fields) };
    const server = create({ log });
    const events: string[] = [];
    let begin: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => (begin = resolve));
    server.resource('slow://x', {
      read: () => 1,
      watch: async () => {
        await beginning;
        events.push('begun');
        return () => void events.push('ended');
      },
    });
    server.resource('quick://x', { read: () => 1, watch: async () => () => void events.push('quick ended') });
    server.resource('fault://x', { read: () => 1, watch: () => Promise.reject(new Error('cannot watch')) });
    const client = await connectMemory(server, 'modern');
    await client.subscribe('slow://x', 'quick://x', 'fault://x');
    await client.close();
    await eventually('the end of watching', () => events.includes('quick ended'));
    begin();
    await eventually('the end of what began late', () => events.includes('ended'));
    expect(failures).toHaveLength(1);
  });

  it('begins with the first watcher, and ends with the last', async () => {
    const server = create();
    const log: string[] = [];
    server.resource('a://{x}', {
      read: ({ x }) => x,
      watch: ({ x }) => {
        log.push(`watch ${x}`);
        return () => log.push(`leave ${x}`);
      },
    });
    server.resource('fault://x', {
      read: () => 1,
      watch: () => {
        throw new Error('cannot watch');
      },
    });
    const [one, two] = [await connectMemory(server, 'modern'), await connectMemory(server, 'legacy')];
    await one.subscribe('a://1', 'fault://x');
    await two.subscribe('a://1');
    await one.close();
    expect(log).toEqual(['watch 1']);
    await two.close();
    await eventually('the end of watching', () => log.length === 2);
    expect(log).toEqual(['watch 1', 'leave 1']);
  });
});

describe('completion', () => {
  it('returns only values of resources that the caller may read', async () => {
    const server = create({ authorize: (_caller: unknown, uri: string) => !uri.includes('secret') });
    server.resource('a://{x}/{y}', {
      read: () => 1,
      complete: { x: () => ['secret', 'open'], y: () => ['open', 'secret'] },
    });
    const client = await connect(server);
    const ref = { type: 'ref/resource' as const, uri: 'a://{x}/{y}' };
    const last = await client.complete({ ref, argument: { name: 'y', value: '' }, context: { arguments: { x: '1' } } });
    expect(last.completion.values).toEqual(['open']);
    await client.close();
  });

  it('returns a hundred values of a source that has more', async () => {
    const server = create();
    let taken = 0;
    server.resource('a://{x}', {
      read: () => 1,
      complete: {
        x: async function* (prefix) {
          for (;;) yield `${prefix}${(taken += 1)}`;
        },
      },
    });
    const client = await connect(server);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'a://{x}' },
      argument: { name: 'x', value: 'n' },
    });
    expect(completion).toMatchObject({ hasMore: true });
    expect(completion.values).toHaveLength(100);
    expect(taken).toBe(101);
    for (const name of ['__proto__', 'constructor']) {
      const odd = await client.complete({
        ref: { type: 'ref/resource', uri: 'a://{x}' },
        argument: { name, value: '' },
      });
      expect(odd.completion.values).toEqual([]);
    }
    await client.close();
  });
});

describe('an alias', () => {
  const aliased = () => {
    const server = create();
    const route = server.resource('new://{id}{/part}', {
      read: ({ id, part }) => `${id} ${part ?? ''}`,
      list: () => [],
    });
    server.alias('old://{id}', 'new://{id}{/part}');
    return { server, route };
  };

  it("leads to the same resource, whose updates have each client's spelling", async () => {
    const { server, route } = aliased();
    const client = await connectMemory(server, 'modern');
    await client.subscribe('old://a');
    expect(await client.read('old://a')).toBe('a ');
    route.changed({ id: 'a' });
    await told(client, 'old://a');
    await client.close();
  });

  it('is not listed, and is removed with its target', async () => {
    const { server, route } = aliased();
    const client = await connect(server);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['new://{id}{/part}']);
    route.remove();
    expect(() => server.definition.directory.resolve('old://a', { era: 'modern', transport: 'memory' })).toThrow(
      'No such resource',
    );
    await client.close();
  });

  it('needs a target whose variables it has', () => {
    const { server } = aliased();
    expect(() => server.alias('old://x/{id}', 'new://none')).toThrow('no route "new://none"');
    expect(() => server.alias('old://x/{other}', 'new://{id}{/part}')).toThrow('no {id}');
    expect(() => server.alias('old://x{/id}', 'new://{id}{/part}')).toThrow('no {id}');
    server.resource('deep://r{/x}{/y}', { read: () => 1 });
    expect(() => server.alias('old://y/{y}', 'deep://r{/x}{/y}')).toThrow('no {x}');
  });
});
