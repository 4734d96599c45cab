import { once } from 'node:events';
import { IncomingMessage, ServerResponse, createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { NodeExchange } from './node-exchange.ts';

/** A request whose client left before its body was read. */
async function abandoned(body: string): Promise<NodeExchange> {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const client = connect(Object(http.address()).port, '127.0.0.1');
  client.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n${body}`);
  const [req, res]: unknown[] = await once(http, 'request');
  if (!(req instanceof IncomingMessage && res instanceof ServerResponse)) throw new Error('There is no request.');
  const closed = new Promise((resolve) => req.once('close', resolve));
  client.destroy();
  await closed;
  http.close();
  return new NodeExchange(req, res);
}

it.each(['the beginning', 'all of the 20 bytes.'])(
  'does not wait for the body (%s) of a client that left during the authentication',
  async (body) => {
    const exchange = await abandoned(body);
    await expect(exchange.readBody(1000)).rejects.toThrow('The client left');
    expect(exchange.isInterrupted).toBe(true);
  },
);

it('runs a task for the end of the response at once, if the client has left', async () => {
  const exchange = await abandoned('');
  let isRun = false;
  exchange.onClosed(() => (isRun = true));
  expect(isRun).toBe(true);
});
