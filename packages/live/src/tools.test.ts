import { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { liveServer } from './live-server.ts';
import { serveMemory } from './serve/memory.ts';
import { eventually } from './testing/eventually.ts';
import { toolResult } from './definition/tool/tool.ts';

const silentLog = { warn: () => undefined, error: () => undefined };

function create(options = {}) {
  return liveServer({ name: 'test', version: '1.0.0', log: silentLog, ...options });
}

async function connect(server: ReturnType<typeof create>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(serveMemory(server));
  return client;
}

describe('a tool', () => {
  it('returns a structured value, text, or a result in full', async () => {
    const server = create();
    server.tool('sum', { input: z.object({ a: z.number() }), output: z.object({ sum: z.number() }) }, ({ a }) => ({
      sum: a + 1,
    }));
    server.tool('text', {}, () => 'hello');
    const link = { type: 'resource_link' as const, uri: 'a://1', name: 'one' };
    server.tool('full', {}, () => toolResult({ content: [link] }));
    const client = await connect(server);
    expect(await client.callTool({ name: 'sum', arguments: { a: 1 } })).toMatchObject({
      structuredContent: { sum: 2 },
      content: [{ type: 'text', text: '{"sum":2}' }],
    });
    expect(await client.callTool({ name: 'text' })).toMatchObject({ content: [{ text: 'hello' }] });
    expect(await client.callTool({ name: 'full' })).toMatchObject({ content: [link] });
    await client.close();
  });

  it('that ends because its call was cancelled is not logged as a fault', async () => {
    const logged: object[] = [];
    const server = create({ log: { warn: () => undefined, error: (fields: object) => void logged.push(fields) } });
    const ended: unknown[] = [];
    server.tool('wait', {}, (_, { mcpReq: { signal } }) => {
      const left = new Promise<never>((__, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      void left.catch((error: unknown) => ended.push(error));
      return left;
    });
    const client = await connect(server);
    const leaving = new AbortController();
    const call = client.callTool({ name: 'wait' }, { signal: leaving.signal });
    await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await expect(call).rejects.toThrow();
    await eventually('the handler to end', () => ended.length > 0);
    await client.callTool({ name: 'nothing' }).catch(() => undefined);
    expect(logged).toEqual([]);
    await client.close();
  });

  it('may return the result of a tool for the SDK, and data that only looks like one', async () => {
    const server = create();
    const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    const answers: Record<string, unknown> = {
      blocks: { content: [{ type: 'text', text: 'hello' }, image] },
      failed: { content: [{ type: 'text', text: 'no' }], isError: true, _meta: { a: 1 } },
      none: { content: [] },
      listed: { content: ['a', 'b'] },
      paged: { content: [], page: 1 },
    };
    for (const [name, answer] of Object.entries(answers)) server.tool(name, {}, () => answer);
    server.tool('structured', { output: z.object({ sum: z.number() }) }, () =>
      // As plain JavaScript would.
      JSON.parse('{"content":[{"type":"text","text":"3"}],"structuredContent":{"sum":3}}'),
    );
    server.tool(
      'document',
      { output: z.object({ content: z.array(z.object({ type: z.string(), text: z.string() })) }) },
      () => ({
        content: [{ type: 'text', text: 'data' }],
      }),
    );
    const client = await connect(server);
    const call = async (name: string) => client.callTool({ name });
    expect(await call('blocks')).toMatchObject({ content: [{ type: 'text', text: 'hello' }, image] });
    expect(await call('failed')).toMatchObject({ isError: true, content: [{ text: 'no' }], _meta: { a: 1 } });
    expect(await call('none')).toMatchObject({ content: [] });
    expect(await call('listed')).toMatchObject({ content: [{ type: 'text', text: '{"content":["a","b"]}' }] });
    expect(await call('paged')).toMatchObject({ content: [{ type: 'text', text: '{"content":[],"page":1}' }] });
    expect(await call('structured')).toMatchObject({ structuredContent: { sum: 3 }, content: [{ text: '3' }] });
    expect(await call('document')).toMatchObject({ structuredContent: { content: [{ text: 'data' }] } });
    await client.close();
  });

  it('that fails unexpectedly returns an error without the reason', async () => {
    const server = create();
    server.tool('fail', {}, () => {
      throw new Error('a secret');
    });
    const client = await connect(server);
    const result = await client.callTool({ name: 'fail' });
    expect(result).toMatchObject({ isError: true, _meta: { 'tidings/code': 'INTERNAL' } });
    expect(JSON.stringify(result)).not.toContain('a secret');
    await client.close();
  });

  it('cannot be defined twice', () => {
    const server = create();
    server.tool('one', {}, () => '');
    expect(() => server.tool('one', {}, () => '')).toThrow('defined twice');
  });
});

it('names the tool, prompt or route that failed in its log, with the reason under `err`', async () => {
  const logged: object[] = [];
  const server = create({ log: { warn: () => undefined, error: (fields: object) => void logged.push(fields) } });
  const err = new Error('broken');
  const broken = () => {
    throw err;
  };
  const listing = { isBroken: false };
  server.resource('r://{x}', {
    read: broken,
    list: () => (listing.isBroken ? broken() : []),
    complete: { x: broken },
  });
  server.tool('t', {}, broken);
  server.prompt('p', { args: z.object({ a: z.string() }), complete: { a: broken } }, broken);
  const client = await connect(server);
  await expect(client.readResource({ uri: 'r://1' })).rejects.toThrow('in its log');
  listing.isBroken = true;
  await expect(client.listResources()).rejects.toThrow('in its log');
  const argument = { name: 'x', value: '' };
  await expect(client.complete({ ref: { type: 'ref/resource', uri: 'r://{x}' }, argument })).rejects.toThrow();
  await client.callTool({ name: 't' });
  await expect(client.getPrompt({ name: 'p', arguments: { a: '' } })).rejects.toThrow();
  const ref = { type: 'ref/prompt' as const, name: 'p' };
  await expect(client.complete({ ref, argument: { name: 'a', value: '' } })).rejects.toThrow();
  expect(logged).toEqual([
    { err, uri: 'r://1', route: 'r://{x}', handler: 'read' },
    { err, route: 'r://{x}', handler: 'list' },
    { err, route: 'r://{x}', handler: 'complete.x' },
    { err, tool: 't' },
    { err, prompt: 'p' },
    { err, prompt: 'p', handler: 'complete.a' },
  ]);
  await client.close();
});
