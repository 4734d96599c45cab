import { createServer } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import type { ObservedRequest } from '../../definition/observe.ts';
import { LiveError } from '../../base/error.ts';
import { type LiveServer, liveServer } from '../../live-server.ts';
import { content } from '../../resource/content.ts';
import { FakeClock, connectHttp, eventually } from '../../testing.ts';
import { NodeEndpoint } from '../node-endpoint.ts';
import { plainHttpRequest } from '../exchange/plain-http-request.ts';

const logged: string[] = [];
const log = { warn: () => undefined, error: (_: object, text: string) => void logged.push(text) };
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  logged.length = 0;
  for (const close of closing.splice(0)) await close();
});

/** Serves it, and records which requests were answered directly. */
async function serve(server: LiveServer) {
  const direct: string[] = [];
  const observed: ObservedRequest[] = [];
  const endpoint = new NodeEndpoint(server.definition, { observe: (each) => observed.push(each) }, (req, body) => {
    const request = plainHttpRequest(req, body);
    if (request) direct.push(request.method);
    return request;
  });
  const http = createServer((req, res) => void endpoint.handle(req, res));
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen on a port.');
  const { port } = address;
  closing.push(async () => {
    await endpoint.close();
    http.closeAllConnections();
    await new Promise((resolve) => void http.close(resolve));
  });
  return { url: `http://127.0.0.1:${port}/mcp`, endpoint, direct, observed };
}

function ask(url: string, method: string, params: { uri?: string } = {}, signal?: AbortSignal): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.uri !== undefined && { 'mcp-name': params.uri }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    ...(signal && { signal }),
  });
}

it('answers the requests of the official client', async () => {
  const server = liveServer({ name: 'notes', version: '1.0.0', log });
  server.resource('note://{name}', { read: ({ name }) => name, list: () => [{ name: 'a' }] });
  const { url, direct } = await serve(server);
  const client = await connectHttp(url, 'modern');
  expect(await client.read('note://a')).toBe('a');
  expect(await client.listAll()).toEqual(['note://a']);
  expect((await client.subscribe('note://a')).honored).toEqual(['note://a']);
  await client.close();
  expect(direct).toEqual(['resources/read', 'resources/list', 'subscriptions/listen']);
});

it('answers with an error if a result cannot be serialised', async () => {
  const server = liveServer({ name: 'notes', version: '1.0.0', log });
  server.resource('note://big', { read: () => content('text', { _meta: { size: 1n } }) });
  const { url } = await serve(server);
  const response = await ask(url, 'resources/read', { uri: 'note://big' });
  expect(await response.json()).toMatchObject({ error: { code: -32603, data: { code: 'INTERNAL' } } });
  expect(logged).toEqual(['A handler failed unexpectedly.']);
});

it('reports the duration of a read that failed', async () => {
  const clock = new FakeClock();
  const server = liveServer({ name: 'notes', version: '1.0.0', log, clock });
  server.resource('note://late', {
    read: () => {
      clock.advance(70);
      throw new LiveError('UNAVAILABLE', 'Not now.');
    },
  });
  const { url, observed } = await serve(server);
  await ask(url, 'resources/read', { uri: 'note://late' });
  expect(observed).toMatchObject([{ method: 'resources/read', code: 'UNAVAILABLE', ms: 70 }]);
});

it('interrupts reads that are still under way when it closes', async () => {
  const server = liveServer({ name: 'notes', version: '1.0.0', log });
  let isAsked = false;
  server.resource('note://never', {
    read: () => {
      isAsked = true;
      return new Promise(() => undefined);
    },
  });
  const { url, endpoint } = await serve(server);
  const response = ask(url, 'resources/read', { uri: 'note://never' });
  await eventually('the read', () => isAsked);
  await endpoint.close();
  expect((await response).status).toBe(503);
});

it('ends a list whose client has disconnected, and aborts the signal of its route', async () => {
  const server = liveServer({ name: 'notes', version: '1.0.0', log });
  let signal: AbortSignal | undefined;
  server.resource('note://{name}', {
    read: ({ name }) => name,
    listAfter: (_last, request) => {
      signal = request.signal;
      return new Promise(() => undefined);
    },
  });
  const { url, observed } = await serve(server);
  const leaving = new AbortController();
  const response = ask(url, 'resources/list', {}, leaving.signal);
  await eventually('the list', () => signal !== undefined);
  leaving.abort();
  await expect(response).rejects.toThrow();
  await eventually('the end', () => observed.length > 0);
  expect(signal?.aborted).toBe(true);
  expect(observed).toMatchObject([{ method: 'resources/list', code: 'UNAVAILABLE' }]);
});
