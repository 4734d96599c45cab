// A server that is about to stop ends its streams and sessions over a period of time, each in a way that its client
// understands.
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { liveServer } from '../live-server.ts';
import { type Era, FakeClock, connectHttp, eventually } from '../testing.ts';
import { httpEndpoint } from './http.ts';

const log = { warn: () => undefined, error: () => undefined };
const eras: readonly Era[] = ['modern', 'legacy'];

it.each(eras)('ends the streams of %s clients one after the other', async (era) => {
  const clock = new FakeClock();
  const server = liveServer({ name: 'notes', version: '1.0.0', log, clock });
  server.resource('note://{name}', { read: ({ name }) => name });
  const endpoint = httpEndpoint(server);
  const http = createServer((req, res) => void endpoint.handle(req, res));
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const clients = await Promise.all([1, 2, 3, 4].map(() => connectHttp(url, era)));
  for (const client of clients) await client.subscribe('note://a');
  const open = () => (era === 'modern' ? endpoint.open.streams : endpoint.open.sessions);
  expect(open()).toBe(4);
  const drained = endpoint.drain(4000);
  for (const left of [3, 2, 1, 0]) {
    clock.advance(900);
    expect(open()).toBe(left + 1);
    clock.advance(100);
    await eventually(`${left} to be left`, () => open() === left);
  }
  await drained;
  for (const client of clients) await client.close();
  await endpoint.close();
  http.closeAllConnections();
  await new Promise((resolve) => http.close(resolve));
});
