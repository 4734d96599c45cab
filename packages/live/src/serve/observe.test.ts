import { afterEach, expect, it } from 'vitest';
import { LiveError, notFound } from '../base/error.ts';
import { liveServer } from '../live-server.ts';
import type { ObservedRequest } from '../definition/observe.ts';
import { connectHttp } from '../testing.ts';
import { type RunningServer, serveHttp } from './http.ts';

const log = { warn: () => undefined, error: () => undefined };
let running: RunningServer;
const seen: ObservedRequest[] = [];

afterEach(() => running.close());

async function serve(): Promise<string> {
  seen.length = 0;
  const server = liveServer({ name: 'notes', version: '1.0.0', log });
  server.resource('note://{name}', { read: ({ name }) => (name === 'none' ? notFound() : name) });
  server.tool('works', {}, () => 'done');
  server.tool('fails', {}, () => {
    throw new LiveError('UNAVAILABLE', 'Not now.');
  });
  server.prompt('ask', {}, () => 'Hello.');
  running = await serveHttp(server, {
    authenticate: ({ headers: { authorization } }) => (authorization ? { subject: authorization } : undefined),
    observe: (request) => seen.push(request),
  });
  return running.url;
}

const told = () => seen.map(({ method, code }) => (code === undefined ? method : `${method} ${code}`));

it.each(['modern', 'legacy'] as const)('is called for every answered request, %s', async (era) => {
  const client = await connectHttp(await serve(), era, { authorization: 'me' });
  seen.length = 0;
  await client.read('note://a');
  await client.read('note://none').catch(() => undefined);
  await client.call('works');
  await client.call('fails').catch(() => undefined);
  await client.call('nothing').catch(() => undefined);
  await client.subscribe('note://a');
  const subscribing = era === 'modern' ? 'subscriptions/listen' : 'resources/subscribe';
  expect(told()).toEqual([
    'resources/read',
    'resources/read RESOURCE_NOT_FOUND',
    'tools/call',
    'tools/call UNAVAILABLE',
    expect.stringMatching(/^tools\/call -32602|^tools\/call INVALID_PARAMS/),
    subscribing,
  ]);
  for (const { caller, client: name, ms } of seen) {
    expect(caller).toMatchObject({ era, transport: 'http', address: '127.0.0.1', auth: { subject: 'me' } });
    expect(name).toMatchObject({ name: expect.any(String), version: expect.any(String) });
    expect(ms).toBeGreaterThanOrEqual(0);
  }
  expect(seen[0]?.params).toMatchObject({ uri: 'note://a' });
  await client.close();
});

it('is called for requests that were refused early', async () => {
  const url = await serve();
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (body: string, more: Record<string, string> = {}) =>
    fetch(url, { method: 'POST', headers: { ...headers, authorization: 'me', ...more }, body });
  await fetch(url, { method: 'POST', headers, body: '{}' });
  await post('{}', { origin: 'http://localhost:9999' });
  await post('no JSON');
  await post('{"jsonrpc":"2.0","id":1,"method":"resources/list"}', { 'mcp-session-id': 'gone' });
  await fetch(url, { method: 'PUT', headers: { authorization: 'me' } });
  await post('x', { 'content-type': 'text/plain' });
  expect(told()).toEqual([
    'POST /mcp PERMISSION_DENIED',
    'POST /mcp PERMISSION_DENIED',
    'POST /mcp HTTP_400',
    'resources/list HTTP_404',
    'PUT /mcp INVALID_PARAMS',
    'POST /mcp HTTP_415',
  ]);
  expect(seen[0]?.caller).toMatchObject({ address: '127.0.0.1' });
});
