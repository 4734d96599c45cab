// The endpoint in frameworks: with bodies that were read before, with web-standard requests, and over HTTP/2.
import { once } from 'node:events';
import { type IncomingMessage, Server, type ServerResponse, createServer } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import fastify from 'fastify';
import { type NodeEndpoint, type WebEndpoint, httpEndpoint, liveServer, webEndpoint } from '@tidings/live';
import { connectHttp, told } from '@tidings/live/testing';
import { Hono } from 'hono';
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
  const web = webEndpoint(server);
  closing.push(async () => {
    await endpoint.close();
    await web.close();
  });
  return { note, endpoint, web };
}

function listening(handler: Handler): Promise<string> {
  return addressOf(createServer((req, res) => void handler(req, res)));
}

async function addressOf(http: Server): Promise<string> {
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

/** Servers that may have read the body already, by name. Each returns the URL of the endpoint. */
const fronts: Record<string, (endpoint: NodeEndpoint, web: WebEndpoint) => Promise<string>> = {
  'plain http': ({ handle }) => listening(handle),
  'plain http, body in req.body': ({ handle }) =>
    listening(async (req, res) => {
      const bytes = await bytesOf(req);
      if (bytes.length > 0) req.body = JSON.parse(bytes.toString());
      void handle(req, res);
    }),
  'Fastify 5': async ({ handle }) => {
    const app = fastify();
    app.all('/mcp', (request, reply) => {
      reply.hijack();
      void handle(request.raw, reply.raw, request.body);
    });
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    closing.push(() => {
      app.server.closeAllConnections();
      return app.close();
    });
    return `${address}/mcp`;
  },
  'Hono, web-standard': (_endpoint, { fetch }) => {
    const app = new Hono();
    app.all('/mcp', ({ req }) => fetch(req.raw));
    return hono(app);
  },
  'Hono, mounted': (_endpoint, { fetch }) => hono(new Hono().mount('/mcp', fetch)),
  'Hono, after what reads bodies': (_endpoint, { fetch }) => {
    const app = new Hono();
    app.all('/mcp', async ({ req }) => {
      const body = req.method === 'POST' ? JSON.stringify(await req.json()) : null;
      return fetch(
        new Request(req.url, { method: req.method, headers: req.raw.headers, body, signal: req.raw.signal }),
      );
    });
    return hono(app);
  },
  "Hono, on Node's request": ({ handle }) => {
    const app = new Hono<{ Bindings: HttpBindings }>();
    app.all('/mcp', async ({ env }) => {
      await handle(env.incoming, env.outgoing);
      return RESPONSE_ALREADY_SENT;
    });
    return hono(app);
  },
  ...Object.fromEntries(
    Object.keys(expressFronts).map((name) => [
      name,
      ({ handle }: NodeEndpoint) => listening(expressFronts[name](handle)),
    ]),
  ),
};

function hono(app: Parameters<typeof createAdaptorServer>[0]): Promise<string> {
  const http = createAdaptorServer(app);
  if (!(http instanceof Server)) throw new Error('It should be a server of HTTP/1.');
  return addressOf(http);
}

it.each(Object.keys(fronts).flatMap((front) => [['modern', front] as const, ['legacy', front] as const]))(
  'serves a %s client behind %s',
  async (era, front) => {
    const { note, endpoint, web } = create();
    const url = (await fronts[front]?.(endpoint, web)) ?? '';
    const client = await connectHttp(url, era);
    await client.subscribe('note://a');
    note.changed({ name: 'a' });
    await told(client, 'note://a');
    expect(await client.read('note://a')).toBe('a');
    await client.close();
  },
);

it('reports a body that was read before and is not available', async () => {
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

it('answers over HTTP/2, where the host is in :authority', async () => {
  const { note, endpoint } = create();
  // Node has separate types for HTTP/2 requests; at run time they have all that an endpoint uses.
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
