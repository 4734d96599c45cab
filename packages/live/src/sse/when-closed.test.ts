import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { whenClosed } from './when-closed.ts';

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** The responses to requests that arrive together on one connection. */
async function responsesTo(count: number) {
  const responses: ServerResponse[] = [];
  const server = createServer((_, res) => responses.push(res)).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const address = server.address();
  const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  client.on('error', () => undefined).write(request.repeat(count));
  while (responses.length < count) await once(server, 'request');
  return { client, responses };
}

const closed = (res: ServerResponse) => new Promise<void>((resolve) => whenClosed(res, resolve));

it('a response has ended when it is sent, or its client leaves, also while it waits behind another', async () => {
  const { client, responses } = await responsesTo(3);
  const [sent, next, waiting] = responses.map(closed);
  responses[0]?.end();
  await sent;
  client.destroy();
  await Promise.all([next, waiting]);
});

it('a response that has ended before is noticed', async () => {
  const { client, responses } = await responsesTo(2);
  const ends = Promise.all(responses.map(closed));
  client.destroy();
  await ends;
  let calls = 0;
  for (const res of responses) whenClosed(res, () => (calls += 1));
  await Promise.all(responses.map(closed));
  expect(calls).toBe(2);
});

it('a response that waits is destroyed with its connection, and says so once to all', async () => {
  const { client, responses } = await responsesTo(2);
  const [, waiting] = responses;
  if (waiting === undefined) throw new Error('There is no second response.');
  let closes = 0;
  waiting.on('close', () => (closes += 1));
  const ends = Promise.all([closed(waiting), closed(waiting)]);
  client.destroy();
  await ends;
  expect([closes, waiting.destroyed]).toEqual([1, true]);
});

it('leaves no listener on a connection whose responses were sent', async () => {
  const { client, responses } = await responsesTo(3);
  const socket = responses[0]?.req.socket;
  const before = socket?.listenerCount('close');
  client.resume();
  const ends = Promise.all(responses.map(closed));
  for (const res of responses) res.end();
  await ends;
  expect(socket?.listenerCount('close')).toBeLessThanOrEqual(before ?? 0);
});

it('a response over HTTP/2 is noticed, also after its end', async () => {
  const server = createHttp2Server().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = connectHttp2(`http://127.0.0.1:${port}`);
  client.request();
  const [, res]: unknown[] = await once(server, 'request');
  const open = closed(Object(res));
  client.destroy();
  await open;
  await closed(Object(res));
});
