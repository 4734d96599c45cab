// Lists read with the SDK's client from a server that answers page by page as the test says.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { systemClock } from '@tidings/live';
import { FakeClock } from '@tidings/live/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ListBounds, listAll, listBounds } from './list-all.ts';

const messageSchema = z.object({
  id: z.number().optional(),
  method: z.string(),
  params: z.object({ cursor: z.string().optional() }).optional(),
});

type PageOf = (cursor: string | undefined) => object | Promise<object>;

const clients: Client[] = [];
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

async function clientOf(pageOf: PageOf): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  far.onmessage = (message) => {
    const { id, method, params } = messageSchema.parse(message);
    if (id === undefined) return;
    const greeting = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'pages', version: '1' } };
    const answer = async () => (method === 'initialize' ? greeting : pageOf(params?.cursor));
    void answer().then((result) => far.send({ jsonrpc: '2.0', id, result: { ...result } }));
  };
  await far.start();
  const client = new Client({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(near);
  return client;
}

const small: ListBounds = { items: 10, bytes: 100_000, pages: 5, ms: 1000 };
const resource = (n: number) => ({ uri: `a://${n}`, name: `n${n}` });
const clock = systemClock;

describe('a list', () => {
  it('has the _meta of the server, if it has one page and the _meta is short', async () => {
    const listed = async (page: PageOf) => (await listAll(await clientOf(page), 'resources', { clock })).meta;
    const _meta = { 'example.com/a': 1, 'io.modelcontextprotocol/serverInfo': { name: 'a', version: '1' } };
    expect(await listed(() => ({ resources: [], _meta }))).toEqual({ 'example.com/a': 1 });
    expect(await listed((cursor) => ({ resources: [], _meta, ...(!cursor && { nextCursor: '2' }) }))).toBeUndefined();
    expect(await listed(() => ({ resources: [], _meta: { long: 'x'.repeat(20_000) } }))).toBeUndefined();
  });

  it('is read page by page to its end', async () => {
    const client = await clientOf((cursor = '0') => ({
      resources: [resource(Number(cursor))],
      nextCursor: cursor === '2' ? null : String(Number(cursor) + 1),
    }));
    const { items, missing } = await listAll(client, 'resources', { clock });
    expect(items.map(({ uri }) => uri)).toEqual(['a://0', 'a://1', 'a://2']);
    expect(missing).toBe('');
  });

  it('that never ends is read up to the limit of pages, and reported as incomplete', async () => {
    let pages = 0;
    const client = await clientOf(() => {
      pages += 1;
      return { resources: [resource(pages)], nextCursor: String(pages) };
    });
    const { items, missing } = await listAll(client, 'resources', { clock, bounds: small });
    expect(pages).toBe(5);
    expect(items).toHaveLength(5);
    expect(missing).toMatch(/^Too much: the list of resources .* more than 5 pages\. The first 5 are used/);
  });

  it('with more items than the limit is cut there', async () => {
    const client = await clientOf(() => ({ resources: Array.from({ length: 1000 }, (_, n) => resource(n)) }));
    const { items, missing } = await listAll(client, 'resources', { clock, bounds: small });
    expect(items.map(({ uri }) => uri)).toEqual(Array.from({ length: 10 }, (_, n) => `a://${n}`));
    expect(missing).toContain('it has more than 10.');
  });

  it('with more bytes than the limit is cut there', async () => {
    const client = await clientOf(() => ({
      tools: [1, 2, 3].map((n) => ({
        name: `t${n}`,
        description: 'x'.repeat(40_000),
        inputSchema: { type: 'object' },
      })),
    }));
    const { items, missing } = await listAll(client, 'tools', { clock, bounds: small });
    expect(items).toHaveLength(2);
    expect(missing).toContain('more than 100000 bytes');
  });

  it('that repeats a cursor ends there, with each item once', async () => {
    const client = await clientOf(() => ({ prompts: [{ name: 'p' }], nextCursor: 'again' }));
    const { items, missing } = await listAll(client, 'prompts', { clock, bounds: small });
    expect(items).toEqual([{ name: 'p' }]);
    expect(missing).toContain('the same cursor twice');
  });

  it('that takes too long as a whole is cut, although each page arrives in time', async () => {
    const fake = new FakeClock();
    let pages = 0;
    const client = await clientOf(() => {
      pages += 1;
      fake.advance(400);
      return { resources: [resource(pages)], nextCursor: String(pages) };
    });
    const { items, missing } = await listAll(client, 'resources', { clock: fake, bounds: small });
    expect(items).toHaveLength(3);
    expect(missing).toContain('more than 1 s');
  });

  it('whose later page never arrives is cut when the time is over', async () => {
    const client = await clientOf((cursor) =>
      cursor === undefined ? { resources: [resource(0)], nextCursor: '1' } : new Promise<object>(() => undefined),
    );
    const { items, missing } = await listAll(client, 'resources', { clock, bounds: { ...small, ms: 50 } });
    expect(items).toEqual([resource(0)]);
    expect(missing).toContain('took more than');
  });

  it('has the valid items, with the number of invalid ones and the reason', async () => {
    const bad = [
      null,
      7,
      { uri: 'a://no-name' },
      { uri: 5, name: 'x' },
      { uri: 'a://infinite', name: 'x', size: Number.POSITIVE_INFINITY },
      { uri: `a://${'l'.repeat(9000)}`, name: 'long' },
      { uri: 'a://long-name', name: 'n'.repeat(2000) },
      { uri: 'a://half-\ud800', name: 'surrogate' },
      { uri: 'a://large', name: 'large', description: 'x'.repeat(300_000) },
    ];
    const client = await clientOf(() => ({ resources: [resource(1), ...bad, resource(2)] }));
    const { items, missing } = await listAll(client, 'resources', { clock });
    expect(items).toEqual([resource(1), resource(2)]);
    expect(missing).toBe(
      '9 of its resources cannot be used: an item is not valid (Invalid input: expected object, received null).',
    );
  });

  it('treats __proto__ as an ordinary key', async () => {
    const page = JSON.parse('{"resources":[{"uri":"a://1","name":"__proto__","_meta":{"__proto__":{"polluted":1}}}]}');
    const client = await clientOf(() => page);
    const { items } = await listAll(client, 'resources', { clock });
    expect(items[0]?.name).toBe('__proto__');
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('has another digest when an item or its description changes, and the same otherwise', async () => {
    let description = 'one';
    const client = await clientOf(() => ({ resources: [{ ...resource(1), description }] }));
    const digest = async () => (await listAll(client, 'resources', { clock })).digest;
    const first = await digest();
    expect(await digest()).toBe(first);
    description = 'two';
    expect(await digest()).not.toBe(first);
  });

  it('has the same digest in another order, and another one with an item twice', async () => {
    let numbers = [1, 2, 3];
    const client = await clientOf(() => ({ resources: numbers.map(resource) }));
    const digest = async () => (await listAll(client, 'resources', { clock })).digest;
    const first = await digest();
    numbers = [3, 1, 2];
    expect(await digest()).toBe(first);
    numbers = [1, 2, 3, 3];
    expect(await digest()).not.toBe(first);
    numbers = [1, 2];
    expect(await digest()).not.toBe(first);
  });

  it('that is no list at all is an error', async () => {
    const client = await clientOf(() => ({ resources: 'none' }));
    await expect(listAll(client, 'resources', { clock })).rejects.toThrow('resources/list');
  });

  it('has room for the lists of real servers', () => {
    expect(listBounds.resources.items).toBeGreaterThanOrEqual(20_000);
    expect(listBounds.tools.items).toBeGreaterThanOrEqual(1000);
  });
});
