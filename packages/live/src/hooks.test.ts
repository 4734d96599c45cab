// Functions of a program that the kit calls (authorize, visibleTo, observe, watch …) may fail, or return values that
// their types do not allow: that must not admit a caller, leave a client waiting or end the process.
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LiveError } from './base/error.ts';
import { type LiveServer, liveServer } from './live-server.ts';
import type { LiveServerOptions } from './live-server-options.ts';
import { webEndpoint } from './serve/web-endpoint.ts';
import type { EndpointOptions } from './serve/endpoint-options.ts';
import { type Era, connectFetch, connectMemory, eventually } from './testing.ts';

const eras: Era[] = ['legacy', 'modern'];

let logged: { err?: unknown; route?: string; handler?: string; message: string }[];
const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => unhandled.push(error);

beforeEach(() => {
  logged = [];
  process.on('unhandledRejection', onUnhandled);
});

afterEach(async () => {
  // Node reports a rejection after the turn in which it happened.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled.splice(0)).toEqual([]);
});

function create(options: Partial<LiveServerOptions> = {}): LiveServer {
  const note = (fields: object, message: string) => void logged.push({ ...fields, message });
  const server = liveServer({
    name: 'test',
    version: '1.0.0',
    windowMs: 0,
    log: { warn: note, error: note },
    ...options,
  });
  server.resource('a://{id}', { read: ({ id }) => id, list: () => [{ id: '1' }] });
  return server;
}

/** A value that plain JavaScript may pass against the types. */
function untyped(value: unknown) {
  return Object.assign(JSON.parse('{}'), { value }).value;
}

/** As database clients return it: a promise that is no instance of this `Promise`. */
const ownPromise: unknown = runInNewContext('Promise.resolve(false)');

describe.each(eras)('for a %s client', (era) => {
  it.each([
    ['nothing', () => undefined],
    ['nothing, later', async () => undefined],
    ['null', () => null],
    ['false, later, in a promise of its own class', () => ownPromise],
  ])('authorize that returns %s refuses', async (_what, authorize) => {
    const server = create({ authorize: untyped(authorize) });
    const client = await connectMemory(server, era);
    await expect(client.read('a://1')).rejects.toThrow('do not allow');
    expect(await client.listAll()).toEqual([]);
    const { honored } = await client.subscribe('a://1');
    expect(honored).toEqual([]);
    await client.close();
  });

  it('authorize that starts to return undefined ends the granted streams', async () => {
    let answer: unknown = true;
    const server = create({ authorize: untyped(() => answer) });
    const client = await connectMemory(server, era);
    await client.subscribe('a://1');
    answer = undefined;
    server.announce('a://1');
    await eventually('the subscription to end', () => server.stats().watched === 0 || server.stats().subscribers === 0);
    expect(client.updates).toEqual([]);
    await client.close();
  });

  it.each([
    ['nothing', () => undefined],
    ['a promise', async () => false],
    ['a promise of its own class', () => ownPromise],
  ])('visibleTo that returns %s shows nothing', async (_what, visibleTo) => {
    const server = create();
    server.tool('hidden', { visibleTo: untyped(visibleTo) }, () => 'seen');
    server.tool('shown', { visibleTo: untyped(() => 1) }, () => 'seen');
    const client = await connectMemory(server, era);
    await expect(client.call('hidden')).rejects.toThrow();
    expect(await client.call('shown')).toBe('seen');
    await client.close();
  });

  it.each<[string, EndpointOptions<Request>]>([
    ['throws', { observe: fails }],
    ['rejects', { observe: untyped(async () => fails()) }],
  ])('every request is answered although observe %s', async (_what, options) => {
    const endpoint = webEndpoint(create(), options);
    expect((await endpoint.fetch(new Request('http://localhost/mcp', { method: 'PUT' }))).status).toBe(405);
    const client = await connectFetch(endpoint.fetch, era);
    expect(await client.read('a://1')).toBe('1');
    await client.subscribe('a://1');
    await client.close();
    expect(logged).toContainEqual({ err: new Error('no'), message: 'observe failed.' });
    await endpoint.close();
  });

  it.each([
    ['throws', () => fails],
    ['rejects', () => async () => fails()],
    ['rejects, of a watch that takes its time', async () => async () => fails()],
  ])('the end of a watch that %s is logged with its route', async (_what, watch) => {
    const server = create();
    server.resource('w://{id}', { read: () => 1, watch: untyped(watch) });
    const client = await connectMemory(server, era);
    const subscription = await client.subscribe('w://1');
    await subscription.end();
    await eventually('the reason to be logged', () => logged.length > 0);
    expect(logged).toEqual([expect.objectContaining({ err: new Error('no'), route: 'w://{id}', handler: 'watch' })]);
    await client.close();
  });

  it('topics that fail are logged with their route', async () => {
    const server = create();
    server.resource('t://{id}', { read: () => 1, topics: fails });
    const client = await connectMemory(server, era);
    expect((await client.subscribe('t://1')).honored).toEqual([]);
    expect(logged).toEqual([expect.objectContaining({ err: new Error('no'), route: 't://{id}', handler: 'topics' })]);
    await client.close();
  });

  it('authenticate that returns a value other than an object is a programming error', async () => {
    const endpoint = webEndpoint(create(), { authenticate: untyped(() => true) });
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    expect((await endpoint.fetch(request)).status).toBe(500);
    expect(logged).toEqual([
      expect.objectContaining({
        err: expect.objectContaining({ message: expect.stringContaining('authenticate must return') }),
      }),
    ]);
    await endpoint.close();
  });
});

it('a request is answered, and its failure observed, if addressOf throws', async () => {
  const observed: (string | undefined)[] = [];
  const options = { addressOf: fails, observe: ({ code }: { code?: string | undefined }) => void observed.push(code) };
  const endpoint = webEndpoint(create(), options);
  expect((await endpoint.fetch(new Request('http://localhost/mcp', { method: 'POST' }))).status).toBe(500);
  expect(observed).toEqual(['INTERNAL']);
  expect(logged).toEqual([expect.objectContaining({ err: new Error('no') })]);
  await endpoint.close();
});

it('a close releases everything, also if one release fails', async () => {
  const server = create();
  const released: string[] = [];
  server.onClose(() => void released.push('first'));
  server.onClose(fails);
  server.onClose(async () => fails());
  server.onClose(() => void released.push('last'));
  await expect(server.close()).rejects.toThrow('no');
  expect(released).toEqual(['first', 'last']);
});

it('an error with an unknown code is a programming error', () => {
  expect(() => new LiveError(untyped('NOT_FOUND'), 'No.')).toThrow('"NOT_FOUND"');
});

function fails(): never {
  throw new Error('no');
}
