// Results of handlers that cannot be sent: the client gets a response, and the log names the handler.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toolResult } from './definition/tool/tool.ts';
import { type LiveServer, liveServer } from './live-server.ts';
import { content, contents } from './resource/content.ts';
import { type RunningServer, serveHttp } from './serve/http.ts';
import type { Era } from './testing.ts';

const internal = 'The reason is in its log';
/** The error of a client that gets no response. */
const soon = { timeout: 3000 };

function loop(): object {
  const value = { self: {} };
  value.self = value;
  return value;
}

/** A value that plain JavaScript may return against the types. */
function untyped(value: unknown) {
  return Object.assign(JSON.parse('{}'), { value }).value;
}

describe.each<Era>(['legacy', 'modern'])('for a %s client', (era) => {
  let logged: object[];
  let server: LiveServer;
  let running: RunningServer;
  let client: Client;

  beforeEach(async () => {
    logged = [];
    const note = (fields: object) => void logged.push(fields);
    const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true } };
    server = liveServer({ name: 'test', version: '1.0.0', capabilities, log: { warn: note, error: note } });
    running = await serveHttp(server);
    const mode = era === 'modern' ? 'auto' : 'legacy';
    client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(running.url)));
  });

  afterEach(async () => {
    await client.close();
    await running.close();
  });

  it.each([
    ['a BigInt in structured content', () => toolResult({ structuredContent: { n: 1n } })],
    ['a loop in _meta', () => toolResult({ _meta: { loop: loop() } })],
    [
      'a BigInt in the _meta of a block',
      () => toolResult({ content: [{ type: 'text', text: 'x', _meta: { n: 1n } }] }),
    ],
    ['a function', () => () => 1],
    ['a symbol', () => Symbol('no')],
    ['a Map', () => new Map([[1, 2]])],
    ['content that is no list', () => toolResult({ content: untyped('text') })],
    ['a text as a whole result', () => toolResult(untyped('text'))],
    [
      'bytes where a block has text',
      () => toolResult({ content: [{ type: 'image', mimeType: 'image/png', data: untyped(Buffer.from('x')) }] }),
    ],
    ['a block of text without any', () => toolResult({ content: [untyped({ type: 'text' })] })],
    ['bytes', () => Buffer.from('x')],
  ])('a tool that returns %s fails', async (_what, handler) => {
    server.tool('odd', {}, untyped(handler));
    const result = await client.callTool({ name: 'odd' }, soon);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(internal) }] });
    expect(logged).toEqual([expect.objectContaining({ tool: 'odd', err: expect.any(TypeError) })]);
  });

  it.each([
    ['nothing', undefined],
    ['a number', 5],
    ['no messages', {}],
    ['a BigInt', { messages: [], _meta: { n: 1n } }],
  ])('a prompt that returns %s fails', async (_what, answer) => {
    server.prompt('odd', {}, () => untyped(answer));
    await expect(client.getPrompt({ name: 'odd' }, soon)).rejects.toThrow(internal);
    expect(logged).toEqual([expect.objectContaining({ prompt: 'odd', err: expect.any(TypeError) })]);
  });

  it.each([
    ['a BigInt', 1n],
    ['a Map', new Map()],
    ['a Response', new Response('x')],
    ['an Error', new Error('x')],
    ['a generator', (function* () {})()],
  ])('a read that returns %s fails', async (_what, value) => {
    server.resource('a://{id}', { read: () => value });
    await expect(client.readResource({ uri: 'a://1' }, soon)).rejects.toThrow(internal);
    expect(logged).toEqual([
      expect.objectContaining({ route: 'a://{id}', handler: 'read', err: expect.any(TypeError) }),
    ]);
  });

  it.each([
    ['mimeType', () => content('x', { mimeType: untyped(5) })],
    ['_meta', () => content('x', { _meta: { n: 1n } })],
    ['ttlMs', () => contents(['x'], { ttlMs: -1 })],
  ])('a read whose contents have a wrong %s fails', async (_what, read) => {
    server.resource('a://{id}', { read });
    await expect(client.readResource({ uri: 'a://1' }, soon)).rejects.toThrow(internal);
    expect(logged).toEqual([expect.objectContaining({ route: 'a://{id}', handler: 'read' })]);
  });

  it('a read may return the result of a read for the SDK', async () => {
    const own = [{ uri: 'a://1', text: 'hello' }];
    server.resource('a://{id}', { read: () => ({ contents: own }), ttlMs: 5 });
    server.resource('data://{id}', { read: () => ({ contents: ['hello'] }) });
    expect(await client.readResource({ uri: 'a://1' })).toMatchObject({ contents: own });
    expect(await client.readResource({ uri: 'data://1' })).toMatchObject({
      contents: [{ text: '{"contents":["hello"]}' }],
    });
  });

  it('contents need no options', async () => {
    server.resource('a://{id}', { read: () => contents([content('one'), content('two')]) });
    expect(await client.readResource({ uri: 'a://1' })).toMatchObject({
      contents: [{ text: 'one' }, { text: 'two' }],
    });
  });

  it.each([
    ['a number', { id: 5 }, 'needs a text for "id", and got 5'],
    ['null', { id: null }, 'needs a text for "id", and got null'],
    ['no value', { no: 'a' }, 'needs a value for "id"'],
    ['a text', 'a', 'needs a value for "id"'],
    ['half a surrogate pair', { id: '\ud800' }, 'unpaired surrogate'],
    ['a size that is none', [{ id: 'a' }, { size: '5' }], '"size" of an entry must be'],
    ['a BigInt', [{ id: 'a' }, { size: 5n }], '"size" of an entry must be'],
    ['a title that is none', [{ id: 'a' }, { title: null }], '"title" of an entry must be a text, and is null'],
    ['a priority over 1', [{ id: 'a' }, { annotations: { priority: 5 } }], '"annotations" of an entry must be'],
    ['a BigInt in _meta', [{ id: 'a' }, { _meta: { n: 1n } }], '"_meta" of an entry must be an object that has JSON'],
    ['details that are none', [{ id: 'a' }, null], 'details of an entry'],
  ])('a list with %s fails', async (_what, item, message) => {
    server.resource('a://{id}', { read: () => 1, list: () => [untyped(item)] });
    await expect(client.listResources(undefined, soon)).rejects.toThrow(internal);
    expect(logged).toEqual([
      expect.objectContaining({
        route: 'a://{id}',
        handler: 'list',
        err: expect.objectContaining({ message: expect.stringContaining(message) }),
      }),
    ]);
  });

  it('an announcement with an invalid value is a programming error', async () => {
    const a = server.resource('a://{id}', { read: () => 1 });
    server.tool('odd', { input: z.object({}) }, () => a.changed(untyped({ ID: 'x' })));
    expect(() => a.changed(untyped({ id: 5 }))).toThrow(TypeError);
    expect(await client.callTool({ name: 'odd', arguments: {} }, soon)).toMatchObject({
      content: [{ text: expect.stringContaining(internal) }],
    });
    expect(logged).toEqual([expect.objectContaining({ tool: 'odd' })]);
  });

  it.each([
    ['a number', () => [5]],
    ['a text', () => 'abc'],
    [
      'a failing generator',
      function* () {
        yield 'a';
        throw new TypeError('no');
      },
    ],
  ])('a completion with %s fails', async (_what, complete) => {
    server.resource('a://{id}', { read: () => 1, complete: { id: untyped(complete) } });
    const ref = { type: 'ref/resource' as const, uri: 'a://{id}' };
    await client.close();
    await client.connect(new StreamableHTTPClientTransport(new URL(running.url)));
    await expect(client.complete({ ref, argument: { name: 'id', value: '' } }, soon)).rejects.toThrow(internal);
    expect(logged).toEqual([
      expect.objectContaining({ route: 'a://{id}', handler: 'complete.id', err: expect.any(TypeError) }),
    ]);
  });
});
