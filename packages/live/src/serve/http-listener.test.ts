import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { eventLoopTurn } from '../time/clock.ts';
import { HttpListener } from './http-listener.ts';

const host = '127.0.0.1';

/** A client that has sent a request. */
async function asking(port: number) {
  const socket = connect(port, host, () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
  onTestFinished(() => void socket.destroy());
  await once(socket, 'data');
  return socket;
}

it('closes connections with an open response after its grace', async () => {
  const clock = new FakeClock();
  const listener = new HttpListener((_, res) => res.write('begin'), { clock, graceMs: 500 });
  const { port } = await listener.listen(0, host);
  const socket = await asking(port);
  let isClosed = false;
  const closing = listener.close().then(() => (isClosed = true));
  await eventLoopTurn();
  clock.advance(499);
  await eventLoopTurn();
  expect(isClosed).toBe(false);
  clock.advance(1);
  await closing;
  if (!socket.closed) await once(socket, 'close');
});

it('without a grace closes them at once, after the end of the streams', async () => {
  const order: string[] = [];
  const listener = new HttpListener((_, res) => res.write('begin'), { clock: new FakeClock(), graceMs: 0 });
  const { port } = await listener.listen(0, host);
  const socket = await asking(port);
  socket.once('close', () => order.push('closed'));
  await listener.close(async () => void order.push('ended'));
  if (!socket.closed) await once(socket, 'close');
  expect(order).toEqual(['ended', 'closed']);
});

it('listens at another port if the first one is in use', async () => {
  const [first, second] = [new HttpListener((_, res) => res.end()), new HttpListener((_, res) => res.end())];
  onTestFinished(async () => void (await Promise.all([first.close(), second.close()])));
  const taken = await first.listen(0, host);
  expect(taken.host).toBe(host);
  await expect(second.listen(taken.port, host)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect((await second.listen(0, host)).port).not.toBe(taken.port);
});
