// The code of docs/frameworks.md, with clients of both eras.
import { once } from 'node:events';
import { type RequestListener, Server, createServer } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { liveServer } from '@tidings/live';
import { connectFetch, connectHttp, told } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';
import { inFastify, inHono, inNode, inRoute } from './quoted/frameworks.ts';

const eras = ['modern', 'legacy'] as const;

function notes() {
  const server = liveServer({ name: 'notes', version: '1.0.0' });
  return { server, note: server.resource('note://{id}', { read: ({ id }) => `Note ${id}` }) };
}

async function addressOf(http: Server): Promise<string> {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`;
}

/** Each mounts the notes in a framework and returns the address of the endpoint. */
const frameworks = {
  Node: async () => {
    const { server, note } = notes();
    const { http, close } = inNode(server);
    onTestFinished(close);
    return { note, url: await addressOf(http) };
  },
  Express: async () => {
    const {
      app,
      note,
      close,
    }: { app: RequestListener; note: ReturnType<typeof notes>['note']; close: () => Promise<void> } = await import(
      new URL('quoted/express.js', import.meta.url).href
    );
    onTestFinished(close);
    return { note, url: await addressOf(createServer(app)) };
  },
  Fastify: async () => {
    const { server, note } = notes();
    const { app, close } = inFastify(server);
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    onTestFinished(async () => {
      await close();
      app.server.closeAllConnections();
      await app.close();
    });
    return { note, url: `${address}/mcp` };
  },
  Hono: async () => {
    const { server, note } = notes();
    const { app, close } = inHono(server);
    onTestFinished(close);
    const http = createAdaptorServer(app);
    if (!(http instanceof Server)) throw new Error('It should be a server of HTTP/1.');
    return { note, url: await addressOf(http) };
  },
};

it.each(Object.entries(frameworks))('a client of each era is notified in %s', async (_name, mount) => {
  const { note, url } = await mount();
  for (const era of eras) {
    const client = await connectHttp(url, era);
    await client.subscribe('note://a');
    note.changed({ id: 'a' });
    await told(client, 'note://a');
    expect(await client.read('note://a')).toBe('Note a');
    await client.close();
  }
});

it.each(eras)('a %s client is notified by the handlers of a route', async (era) => {
  const { server, note } = notes();
  const { GET, POST, DELETE, close } = inRoute(server);
  onTestFinished(close);
  const handlers: Record<string, typeof GET> = { GET, POST, DELETE };
  const route = (request: Request) => handlers[request.method]?.(request) ?? new Response(null, { status: 405 });
  const client = await connectFetch(route, era);
  await client.subscribe('note://a');
  note.changed({ id: 'a' });
  await told(client, 'note://a');
  await client.close();
});
