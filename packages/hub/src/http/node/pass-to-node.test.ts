import { once } from 'node:events';
import { createServer } from 'node:http';
import { type HttpBindings, getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { expect, it, onTestFinished } from 'vitest';
import { compression } from '../message/compression.ts';
import { json } from '../message/json.ts';
import { passToNode, subjectHeader } from './pass-to-node.ts';

/** Of an access token. */
const subject = 'https://id.example#Žofie';

type App = Hono<{ Bindings: HttpBindings }>;

/** The address of a server with these routes, which is closed at the end of the test. */
async function served(define: (app: App) => unknown): Promise<string> {
  const app: App = new Hono();
  app.use(compression());
  define(app);
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const http = createServer((req, res) => void answer(req, res)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  await once(http, 'listening');
  const address = http.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : undefined}`;
}

/** The response to a client of a node that passes the request to another node, which has this response. */
async function passed(respond: (c: Context) => Response, init?: RequestInit): Promise<Response> {
  const url = await served((app) => app.all('/node/*', respond));
  const node = { id: 'two', url, headers: {} };
  return fetch(await served((app) => app.all('*', (c) => passToNode(c, node, { auth: { subject } }))), init);
}

it('the client gets the time after which to retry', async () => {
  const refusal = { error: { code: 'LIMIT_EXCEEDED', message: 'Too many.' } };
  const response = await passed(() => json(refusal, 429, { 'Retry-After': '5' }));
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.json()).toEqual(refusal);
});

it('a short response is not compressed, and its length is known', async () => {
  const response = await passed(() => json({ a: 1 }));
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(response.headers.get('content-length')).toBe('7');
});

it('a long response is compressed for a client that accepts that', async () => {
  const long = { a: 'x'.repeat(5000) };
  const plain = await passed(() => json(long), { headers: { 'Accept-Encoding': 'identity' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.headers.get('content-length')).toBe('5008');
  expect(await plain.json()).toEqual(long);
  const compressed = await passed(() => json(long));
  expect(compressed.headers.get('content-encoding')).toBe('gzip');
  expect(await compressed.json()).toEqual(long);
});

it('a proxy in front of the node may not keep or change an event stream', async () => {
  const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' };
  const response = await passed(() => new Response('data: 1\n\n', { headers }));
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
});

it('a response without content has none', async () => {
  const response = await passed(() => new Response(null, { status: 204 }), { method: 'DELETE' });
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
});

it('the other node gets the subject of the caller, and not one that the client names', async () => {
  const response = await passed((c) => json({ subject: c.req.header(subjectHeader) }), {
    headers: { [subjectHeader]: 'mallory' },
  });
  expect(await response.json()).toEqual({ subject: Buffer.from(subject).toString('base64url') });
});
