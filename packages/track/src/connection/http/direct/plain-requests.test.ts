import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { systemClock } from '@tidings/live/time';
import { FakeClock, eventually } from '@tidings/live/testing';
import { afterEach, expect, it } from 'vitest';
import { CopyBudget } from '../../../base/copy-budget.ts';
import { PlainRequests } from './plain-requests.ts';
import { Resending } from '../resend/resending.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Asked {
  headers: IncomingMessage['headers'];
  port: number | undefined;
  body: { id: number; method: string; params: { uri: string } };
}

/** A server that answers each request with `answer`, and a client of it. */
async function plain(answer: (asked: Asked, res: ServerResponse) => void, clock: Clock = systemClock) {
  const asked: Asked[] = [];
  const received: unknown[] = [];
  let heard = 0;
  const http = createServer((req, res) => {
    void req.toArray().then((chunks) => {
      asked.push({
        headers: req.headers,
        port: req.socket.remotePort,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      const last = asked.at(-1);
      if (last) answer(last, res);
    });
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen on a port.');
  const url = new URL(`http://127.0.0.1:${address.port}/mcp`);
  const overtaken: number[] = [];
  const resending = new Resending({ clock, lateMs: 3000, overtaken: (sentAt) => void overtaken.push(sentAt) });
  const requests = new PlainRequests({
    url,
    headers: { Authorization: 'Bearer secret' },
    login: undefined,
    clock,
    resending,
    heard: () => void (heard += 1),
    receive: (message) => void received.push(message),
  });
  closing.push(() => {
    requests.close();
    http.closeAllConnections();
    http.close();
  });
  return {
    asked,
    received,
    resending,
    overtaken,
    url,
    heard: () => heard,
    subscribe: () => requests.subscribe('a://b', agreed, answerMs),
    read: (uri = 'a://b') => requests.read(uri, agreed, undefined, answerMs, new CopyBudget(3)),
  };
}

const answerMs = 10_000;
const agreed = { sessionId: 'one', protocolVersion: '2025-11-25' };
const json = (res: ServerResponse, message: object) =>
  res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...message }));

it('sends the usual headers and body, over kept connections', async () => {
  const { subscribe, asked } = await plain(({ body: { id } }, res) => json(res, { id, result: {} }));
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

it('reads the response from an event stream that stays open, and passes on its other messages', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'ä://b' } };
  const { subscribe, received } = await plain(({ body: { id } }, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result: {} });
    res.write(`id: 1\ndata:\n\nevent: message\ndata: ${JSON.stringify(notification)}\n\nda`);
    res.write(`ta: ${answer}\n\n`);
  });
  expect(await subscribe()).toBe(true);
  expect(received).toEqual([notification]);
});

it('rejects if the server refuses', async () => {
  const { subscribe } = await plain(({ body: { id } }, res) =>
    json(res, { id, error: { code: -32002, message: 'No such resource.' } }),
  );
  const refusal = await subscribe().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ProtocolError);
  expect(refusal).toMatchObject({ code: -32002, message: expect.stringContaining('No such resource.') });
});

it('does not follow a redirect, which would send the credentials', async () => {
  const elsewhere = await plain(({ body: { id } }, res) => json(res, { id, result: {} }));
  const { subscribe } = await plain((_, res) => res.writeHead(307, { Location: elsewhere.url.href }).end());
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
  [
    'JSON that nests too deep',
    (_, res) =>
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(`${'['.repeat(8000)}${']'.repeat(8000)}`),
  ],
])('leaves %s to the SDK, after a while at once', async (_, answer) => {
  const { subscribe, asked } = await plain(answer);
  for (let time = 0; time < 5; time += 1) expect(await subscribe()).toBe(false);
  expect(asked).toHaveLength(3);
});

it('rejects without a response in time', async () => {
  const clock = new FakeClock();
  const { subscribe, asked } = await plain(() => undefined, clock);
  const subscribed = subscribe().catch((error: unknown) => error);
  await eventually('the request', () => asked.length === 1);
  clock.advance(answerMs);
  expect(await subscribed).toMatchObject({ code: 'REQUEST_TIMEOUT' });
});

it('leaves a broken connection to the SDK, each time', async () => {
  const { subscribe, asked } = await plain((_, res) => res.destroy());
  for (let time = 0; time < 5; time += 1) expect(await subscribe()).toBe(false);
  expect(asked).toHaveLength(5);
});

it('uses a new connection if the server has closed the kept one', async () => {
  const { subscribe, asked } = await plain(({ body: { id } }, res) => {
    if (asked.length === 2) res.destroy();
    else json(res, { id, result: {} });
  });
  expect(await subscribe()).toBe(true);
  expect(await subscribe()).toBe(true);
  expect(asked).toHaveLength(3);
  const [first, second, third] = asked.map(({ port }) => port);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

it('reads a content that is not plain through the SDK from then on', async () => {
  const { read, asked } = await plain(({ body: { id, params } }, res) => {
    const contents = [{ uri: params.uri, ...(params.uri === 'a://bytes' ? { blob: 'AA==' } : { text: 'text' }) }];
    json(res, { id, result: { contents } });
  });
  expect(await read('a://bytes')?.answer).toBeUndefined();
  expect(read('a://bytes')).toBeUndefined();
  expect(await read('a://text')?.answer).toEqual({ contents: [{ uri: 'a://text', text: 'text' }] });
  expect(asked).toHaveLength(2);
});

it('a read that waits on a dead connection is sent on another one when a later request is answered', async () => {
  const clock = new FakeClock();
  const answer = { contents: [{ uri: 'a://b', text: 'text' }] };
  const { read, subscribe, asked, overtaken, heard } = await plain(({ body: { id, method } }, res) => {
    // The first connection is dead.
    if (asked.length === 1) return;
    json(res, { id, result: method === 'resources/read' ? answer : {} });
  }, clock);
  const sent = read();
  await eventually('the read', () => asked.length === 1);
  clock.advance(100);
  expect(await subscribe()).toBe(true);
  clock.advance(2900);
  expect(await sent?.answer).toEqual(answer);
  expect(overtaken).toEqual([0]);
  expect(heard()).toBe(2);
});

it('a read that waits is sent again when the server answers after a silence, not on an idle connection', async () => {
  const clock = new FakeClock();
  const answer = { contents: [{ uri: 'a://b', text: 'text' }] };
  const { read, subscribe, asked, resending } = await plain(({ body: { id, method } }, res) => {
    if (asked.length === 3) return;
    json(res, { id, result: method === 'resources/read' ? answer : {} });
  }, clock);
  await Promise.all([subscribe(), subscribe()]);
  const sent = read();
  await eventually('the read', () => asked.length === 3);
  clock.advance(1);
  resending.renew(clock.now());
  expect(await sent?.answer).toEqual(answer);
  const ports = asked.map(({ port }) => port);
  expect(ports.slice(0, 3)).not.toContain(ports[3]);
});

it('a cancelled read rejects, and its connection is closed', async () => {
  let isClosed = false;
  const { read, asked } = await plain((_, res) => void res.on('close', () => (isClosed = true)));
  const sent = read();
  await eventually('the read', () => asked.length === 1);
  sent?.cancel();
  await expect(sent?.answer).rejects.toThrow('given up');
  await eventually('the end of its connection', () => isClosed);
});

it.each([
  ['bytes', 200, 1000],
  ['chunks', 1000, 1],
])('does not read a response among too many %s', async (_, count, size) => {
  const send = async (id: number, res: ServerResponse) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const more = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'x', params: { text: 'x'.repeat(size) } })}\n\n`;
    for (let n = 0; n < count && !res.destroyed; n += 1) await new Promise((written) => void res.write(more, written));
    res.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n\n`);
  };
  const { subscribe, received } = await plain(({ body: { id } }, res) => void send(id, res));
  expect(await subscribe()).toBe(false);
  expect(received.length).toBeLessThan(100);
});
