// Findings of fuzzing in the handling of HTTP, each as the smallest request that reproduces it.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { eventually } from '../attack/within.ts';
import { message, serverUnderTest, textOf, wholePost } from './server-under-test.ts';

const today = 'notes://today';
const server = serverUnderTest();

test.each(['//', 'http://[', '/\\'])(
  'a request target %s, which is not a URL, gets 404 and does not crash the server',
  async (path) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
    expect(await server.raw(request)).toMatch(/^HTTP\/1.1 404 /);
  },
);

test.each(['TRACE', 'PUT', 'PROPFIND'])('the method %s is refused', async (verb) => {
  const request = `${verb} /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
  expect(await server.raw(request)).toMatch(/^HTTP\/1.1 405 /);
});

test('a body above the limit is refused with the reason', async () => {
  const head =
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const [announced, sent] = [2 ** 20, 2 ** 18 + 1];
  const answer = await server.raw(`${head}${announced.toString(16)}\r\n${' '.repeat(sent)}`);
  expect(answer).toMatch(/^HTTP\/1.1 413 .*LIMIT_EXCEEDED/s);
});

test('a client that disconnects in the middle of its body is not logged as a failure', async () => {
  const { sockets: before } = await server.target.report();
  const socket = await server.connect();
  const head = 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';
  socket.write(head, () => socket.destroy());
  await once(socket, 'close');
  await eventually(
    5000,
    () => server.target.report(),
    ({ sockets }) => sockets <= before,
  );
});

test('a client that requests "Connection: close" gets its connection closed', async () => {
  const asked = message('legacy', 'resources/read', { uri: today });
  const answer = await server.raw(wholePost(asked, [...server.headers('legacy', asked), ['Connection', 'close']]));
  expect(answer).toContain('"text":"tea"');
});

test('a byte order mark before a request is ignored', async () => {
  const read = await server.post('legacy', message('legacy', 'resources/read', { uri: today }), '\ufeff');
  expect(await textOf(read)).toContain('"text":"tea"');
});

test('a listen request after a byte order mark gets its stream', async () => {
  const asked = message('modern', 'subscriptions/listen', { notifications: { resourceSubscriptions: [today] } });
  const updated = textOf(await server.post('modern', asked, '\ufeff'), 'notifications/resources/updated');
  const change = { name: 'set_note', arguments: { name: 'today', text: 'tea' } };
  await server.post('modern', message('modern', 'tools/call', change));
  await updated;
});

test('a URI with a line separator can be listened to', async () => {
  const notifications = { resourceSubscriptions: ['notes://a\u2028b'] };
  const listen = await server.post('modern', message('modern', 'subscriptions/listen', { notifications }));
  expect(await textOf(listen, '}}\n\n')).toContain(String.raw`"notes://a\u2028b"`);
});
