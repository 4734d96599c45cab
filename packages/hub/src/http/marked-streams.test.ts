import { createServer, get } from 'node:http';
import { FakeClock, eventually } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';
import { MarkedStreams } from './marked-streams.ts';

async function listening() {
  const clock = new FakeClock();
  const left: string[] = [];
  const streams = new MarkedStreams({ clock, left: (...who) => left.push(who.join(' ')) });
  let open = 0;
  const server = createServer((req, res) => {
    streams.add(req, res, String(req.headers['x-subject']));
    open += 1;
    res.on('close', () => (open -= 1));
    res.writeHead(200).flushHeaders();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    streams.close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  /** Returns a function that ends the stream. */
  const stream = async (subject: string, mark: string, method = 'subscriptions/listen') => {
    const headers = { 'x-subject': subject, 'tidings-caller': mark, 'mcp-method': method };
    const request = get({ host: '127.0.0.1', port, headers });
    await new Promise<void>((resolve) => void request.once('response', () => resolve()));
    return async () => {
      const before = open;
      request.destroy();
      await eventually('the end of the stream', () => open < before);
    };
  };
  return { clock, left, stream };
}

it('a client has left when none of its streams was opened again', async () => {
  const { clock, left, stream } = await listening();
  const [first, second] = [await stream('ada', 'one'), await stream('ada', 'one')];
  const other = await stream('bob', 'one');
  await first();
  clock.advance(60_000);
  expect(left).toEqual([]);
  await second();
  clock.advance(29_000);
  expect(left).toEqual([]);
  clock.advance(2000);
  expect(left).toEqual(['ada one']);
  await other();
  clock.advance(31_000);
  expect(left).toEqual(['ada one', 'bob one']);
});

it('a client that opens its stream again stays', async () => {
  const { clock, left, stream } = await listening();
  const end = await stream('ada', 'one');
  await end();
  clock.advance(20_000);
  const again = await stream('ada', 'one');
  clock.advance(60_000);
  expect(left).toEqual([]);
  await again();
  clock.advance(31_000);
  expect(left).toEqual(['ada one']);
});

it('other requests say nothing about their client', async () => {
  const { clock, left, stream } = await listening();
  const end = await stream('ada', 'one', 'tools/call');
  await end();
  clock.advance(60_000);
  expect(left).toEqual([]);
});
