// The endpoint behind what other programs put in front of it: bodies that were read before, and HTTP/2.
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import { httpEndpoint, liveServer } from '@tidings/live';
import { connectHttp, told } from '@tidings/live/testing';
import { afterEach, expect, it } from 'vitest';

type Handler = (req: IncomingMessage & { body?: unknown }, res: ServerResponse) => void | Promise<void>;

const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function create() {
  const server = liveServer({
    name: 'notes',
    version: '1.0.0',
    log: { warn: () => undefined, error: () => undefined },
  });
  const note = server.resource('note://{name}', { read: ({ name }) => name });
  const endpoint = httpEndpoint(server);
  closing.push(() => endpoint.close());
  return { note, endpoint };
}

async function listening(handler: Handler): Promise<string> {
  const http = createServer((req, res) => void handler(req, res));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  closing.push(() => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`;
}

async function bytesOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const { expressFronts } = await import(new URL('express-fronts.js', import.meta.url).href);

/** How a body may have been read before, by what is in front. The names are those of the frameworks. */
const fronts: Record<string, (endpoint: ReturnType<typeof create>['endpoint']) => Handler> = {
  'plain http': (endpoint) => (req, res) => void endpoint.handle(req, res),
  'plain http, body in req.body': (endpoint) => async (req, res) => {
    const bytes = await bytesOf(req);
    if (bytes.length > 0) req.body = JSON.parse(bytes.toString());
    void endpoint.handle(req, res);
  },
  // Fastify reads the body of request.raw and keeps it in request.body; Hono does so in c.req.json().
  'a body that the framework keeps (Fastify, Hono)': (endpoint) => async (req, res) => {
    const bytes = await bytesOf(req);
    void endpoint.handle(req, res, bytes.length === 0 ? undefined : JSON.parse(bytes.toString()));
  },
  ...Object.fromEntries(
    Object.keys(expressFronts).map((name) => [
      name,
      (endpoint: ReturnType<typeof create>['endpoint']): Handler => expressFronts[name](endpoint.handle),
    ]),
  ),
};

it.each(Object.keys(fronts).flatMap((front) => [['modern', front] as const, ['legacy', front] as const]))(
  'serves a %s client behind %s',
  async (era, front) => {
    const { note, endpoint } = create();
    const url = await listening(fronts[front]?.(endpoint) ?? (() => undefined));
    const client = await connectHttp(url, era);
    await client.subscribe('note://a');
    note.changed({ name: 'a' });
    await told(client, 'note://a');
    expect(await client.read('note://a')).toBe('a');
    await client.close();
  },
);

it('says so when a body was read and is nowhere', async () => {
  const { endpoint } = create();
  const url = await listening(async (req, res) => {
    await bytesOf(req);
    void endpoint.handle(req, res);
  });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await fetch(url, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({
    error: { message: expect.stringContaining('hand it to handle(req, res, body)'), data: { code: 'INTERNAL' } },
  });
});

it('answers over HTTP/2, where a host is an authority', async () => {
  const { note, endpoint } = create();
  // Node types its HTTP/2 requests apart; at run time they have what an endpoint uses.
  const http2 = createHttp2Server((req, res) => void Reflect.apply(endpoint.handle, undefined, [req, res]));
  http2.listen(0, '127.0.0.1');
  await once(http2, 'listening');
  const address = http2.address();
  const session = connect(`http://localhost:${typeof address === 'object' && address ? address.port : 0}`);
  closing.push(() => {
    session.destroy();
    http2.close();
  });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const ask = (method: string, params: object, name?: string) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/mcp',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    });
    stream
      .setEncoding('utf8')
      .end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }));
    return stream;
  };
  let answer = '';
  for await (const chunk of ask('resources/read', { uri: 'note://a' }, 'note://a')) answer += chunk;
  expect(answer).toContain('"text":"a"');

  const listen = ask('subscriptions/listen', { notifications: { resourceSubscriptions: ['note://a'] } });
  const frames = listen[Symbol.asyncIterator]();
  expect((await frames.next()).value).toContain('acknowledged');
  note.changed({ name: 'a' });
  expect((await frames.next()).value).toContain('notifications/resources/updated');
  listen.close();
});
