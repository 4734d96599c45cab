import { createServer, get } from 'node:http';
import { FakeClock, eventually } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';
import { MarkedStreams } from './marked-streams.ts';

async function listening() {
  const clock = new FakeClock();
  const left: string[] = [];
  const streams = new MarkedStreams({ clock, left: (...who) => left.push(who.slice(0, 2).join(' ')) });
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
  return { clock, left, streams, stream };
}

it('a client counts as gone when none of its streams is opened again', async () => {
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

it('other requests do not affect the state of their client', async () => {
  const { clock, left, stream } = await listening();
  const end = await stream('ada', 'one', 'tools/call');
  await end();
  clock.advance(60_000);
  expect(left).toEqual([]);
});

it('the mark of a header is as long as one in `_meta`', async () => {
  const { clock, left, stream } = await listening();
  for (const mark of ['m'.repeat(101), 'm'.repeat(100)]) await (await stream('ada', mark))();
  expect(clock.waiting).toBe(1);
  clock.advance(31_000);
  expect(left).toEqual([`ada ${'m'.repeat(100)}`]);
});

it('a client with a new name in each request uses limited memory, and no room of others', async () => {
  const { clock, left, stream } = await listening();
  for (let batch = 0; batch < 11; batch += 1) {
    const windows = Array.from({ length: 100 }, (_, n) => stream('ada', `window ${batch} ${n}`));
    await Promise.all((await Promise.all(windows)).map((close) => close()));
  }
  expect(clock.waiting).toBe(1000);
  await (
    await stream('bob', 'one')
  )();
  clock.advance(31_000);
  expect(left).toHaveLength(1001);
  expect(left.at(-1)).toBe('bob one');
});

it('streams that end after the hub has closed start no timer', async () => {
  const { clock, left, streams, stream } = await listening();
  const end = await stream('ada', 'one');
  streams.close();
  await end();
  expect([clock.waiting, left]).toEqual([0, []]);
});
