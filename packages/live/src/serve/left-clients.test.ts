// A client that leaves while its request is being admitted: nothing of it may stay.
import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import { afterEach, expect, it } from 'vitest';
import { liveServer } from '../live-server.ts';
import { eventually } from '../testing.ts';
import { httpEndpoint } from './http.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const listen = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    notifications: { resourceSubscriptions: ['note://a'] },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'subscriptions/listen',
};

function gated() {
  let isAsked = false;
  let open: () => void = () => undefined;
  const gate = new Promise<boolean>((resolve) => (open = () => resolve(true)));
  const authorize = () => {
    isAsked = true;
    return gate;
  };
  const server = liveServer({ name: 'notes', version: '1.0.0', authorize });
  server.resource('note://{name}', { read: () => '' });
  return { endpoint: httpEndpoint(server), open: () => open(), asked: () => isAsked };
}

it('opens no stream for an HTTP/2 client that has left', async () => {
  const { endpoint, open, asked } = gated();
  const left: unknown[] = [];
  const handled: Promise<void>[] = [];
  const http = createServer((req, res) => {
    res.on('close', () => left.push(req));
    handled.push(endpoint.handle(Object(req), Object(res)));
  }).listen(0, '127.0.0.1');
  closing.push(() => http.close());
  await once(http, 'listening');
  const client = connect(`http://127.0.0.1:${Object(http.address()).port}`);
  const request = client.request({ ':method': 'POST', ':path': '/mcp', ...headers });
  request.on('error', () => undefined);
  request.end(listen);
  await eventually('the check of the permission', asked);
  client.destroy();
  await eventually('the client to leave', () => left.length > 0);
  open();
  await Promise.all(handled);
  expect(endpoint.open.streams).toBe(0);
});
