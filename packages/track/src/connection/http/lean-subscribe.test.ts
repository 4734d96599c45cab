import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ProtocolError } from '@modelcontextprotocol/client';
import { systemClock } from '@tidings/live/time';
import { FakeClock, eventually } from '@tidings/live/testing';
import { afterEach, expect, it } from 'vitest';
import { LeanSubscribe, type LeanSubscribeDeps } from './lean-subscribe.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Asked {
  headers: IncomingMessage['headers'];
  body: { id: number; method: string; params: { uri: string } };
}

/** A server that answers each request like this, and what asks it. */
async function lean(answer: (asked: Asked, res: ServerResponse) => void, options: Partial<LeanSubscribeDeps> = {}) {
  const asked: Asked[] = [];
  const received: unknown[] = [];
  const http = createServer((req, res) => {
    void req.toArray().then((chunks) => {
      asked.push({ headers: req.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
      const last = asked.at(-1);
      if (last) answer(last, res);
    });
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen on a port.');
  const url = new URL(`http://127.0.0.1:${address.port}/mcp`);
  const receive = (message: unknown) => received.push(message);
  const subscribing = new LeanSubscribe({
    url,
    headers: { Authorization: 'Bearer secret' },
    clock: systemClock,
    lateMs: 10_000,
    receive,
    ...options,
  });
  closing.push(() => {
    subscribing.close();
    http.closeAllConnections();
    http.close();
  });
  return { asked, received, subscribing, subscribe: () => subscribing.subscribe('a://b', agreed), url };
}

const agreed = { sessionId: 'one', protocolVersion: '2025-11-25' };
const json = (res: ServerResponse, message: object) =>
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...message }));

it('sends what the usual request has, over kept connections', async () => {
  const { subscribe, asked } = await lean(({ body: { id } }, res) => json(res, { id, result: {} }));
  expect(await subscribe()).toBe(true);
  expect(await subscribe()).toBe(true);
  const [first, second] = asked;
  expect(first).toMatchObject({
    headers: {
      authorization: 'Bearer secret',
      'mcp-session-id': 'one',
      'mcp-protocol-version': '2025-11-25',
      accept: 'application/json, text/event-stream',
    },
    body: { method: 'resources/subscribe', params: { uri: 'a://b' } },
  });
  expect(second?.body.id).not.toBe(first?.body.id);
});

it('reads the answer from an event stream that stays open, and passes on what else is there', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'ä://b' } };
  const { subscribe, received } = await lean(({ body: { id } }, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: {} });
    res.write(`id: 1\ndata:\n\nevent: message\ndata: ${JSON.stringify(notification)}\n\nda`);
    res.write(`ta: ${answer}\n\n`);
  });
  expect(await subscribe()).toBe(true);
  expect(received).toEqual([notification]);
});

it('rejects where the server refuses', async () => {
  const { subscribe } = await lean(({ body: { id } }, res) =>
    json(res, { id, error: { code: -32002, message: 'No such resource.' } }),
  );
  const refusal = await subscribe().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ProtocolError);
  expect(refusal).toMatchObject({ code: -32002, message: expect.stringContaining('No such resource.') });
});

it('does not follow a redirect, which would take the credentials along', async () => {
  const elsewhere = await lean(({ body: { id } }, res) => json(res, { id, result: {} }));
  const { subscribe } = await lean((_, res) => res.writeHead(307, { Location: elsewhere.url.href }).end());
  expect(await subscribe()).toBe(false);
  expect(elsewhere.asked).toEqual([]);
});

const large = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(20_000) } });
it.each<[string, (asked: Asked, res: ServerResponse) => void]>([
  ['a session that is gone', (_, res) => res.writeHead(404).end()],
  ['a missing log-in', (_, res) => res.writeHead(401).end()],
  ['a compressed answer', (_, res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(large))],
  ['a large answer', (_, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(large)],
  ['something that is no JSON', (_, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{')],
  ['a page', (_, res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>')],
  ['an answer to another request', (_, res) => json(res, { id: 7, result: {} })],
  ['a stream without an answer', (_, res) => res.writeHead(200, { 'Content-Type': 'text/event-stream' }).end()],
  ['a broken connection', (_, res) => res.destroy()],
  [
    'JSON that nests too deep',
    (_, res) =>
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(`${'['.repeat(8000)}${']'.repeat(8000)}`),
  ],
])('leaves %s to the usual way, in the end at once', async (_, answer) => {
  const { subscribe, asked } = await lean(answer);
  for (let time = 0; time < 5; time += 1) expect(await subscribe()).toBe(false);
  expect(asked).toHaveLength(3);
});

it('leaves a request without an answer to the usual way', async () => {
  const clock = new FakeClock();
  const { subscribe, asked } = await lean(() => undefined, { clock, lateMs: 3000 });
  const subscribed = subscribe();
  await eventually('the request', () => asked.length === 1);
  clock.advance(3000);
  expect(await subscribed).toBe(false);
});

it.each([
  ['bytes', 200, 1000],
  ['chunks', 1000, 1],
])('does not read an answer among too many %s', async (_, count, size) => {
  const send = async (id: number, res: ServerResponse) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const more = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(size) } })}\n\n`;
    for (let n = 0; n < count && !res.destroyed; n += 1) await new Promise((written) => void res.write(more, written));
    res.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n\n`);
  };
  const { subscribe, received } = await lean(({ body: { id } }, res) => void send(id, res));
  expect(await subscribe()).toBe(false);
  expect(received.length).toBeLessThan(100);
});
