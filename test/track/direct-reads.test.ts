// Reads over HTTP that bypass the SDK's client give the same results and errors as reads through it.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { httpEndpoint, liveServer, notFound } from '@tidings/live';
import { type Tracker, openTracker } from '@tidings/track';
import { expect, it } from 'vitest';
import { legacyOnly } from '../support/wire/legacy-only.ts';

const eras = ['modern', 'legacy'] as const;
const large = 'x'.repeat(100_000);
const texts: Record<string, unknown> = { plain: 'text', empty: '', object: { a: 1 }, umlaut: 'ä ✓', large };
const cases = ['plain', 'empty', 'object', 'umlaut', 'large', 'bytes', 'several', 'missing', 'broken', 'name-ä'];

interface Upstream extends AsyncDisposable {
  url: string;
  /** `isLean`: Node's own client accepts no compressed responses, so it can be told from `fetch`. */
  reads: { name: string; isLean: boolean; params: unknown; headers: unknown }[];
}

async function upstream(era: (typeof eras)[number]): Promise<Upstream> {
  const server = liveServer({
    name: 'pages',
    version: '1.0.0',
    log: { warn: () => {}, error: () => {}, info: () => {} },
  });
  const reads: Upstream['reads'] = [];
  let asked = { isLean: false, params: {}, headers: {} };
  server.resource('page://{name}', {
    read: ({ name }, { uri }) => {
      reads.push({ name, ...asked });
      if (name === 'bytes') return new Uint8Array([1, 2, 255]);
      if (name === 'broken') throw new Error('It is broken.');
      if (name === 'several') {
        return {
          contents: [
            { uri, text: 'one', _meta: { a: 1 } },
            { uri: `${uri}/2`, mimeType: 'text/x', text: 'two' },
          ],
        };
      }
      return name === 'name-ä' ? 'named' : (texts[name] ?? notFound());
    },
    list: () => [{ name: 'plain' }],
  });
  const endpoint = httpEndpoint(server);
  const handle = async (req: IncomingMessage & { body?: unknown }, res: ServerResponse) => {
    if (req.method !== 'POST') return endpoint.handle(req, res);
    const body: unknown = req.body ?? JSON.parse(Buffer.concat(await req.toArray()).toString());
    const { method, params } = Object(body);
    // Reads are made one after the other.
    if (method === 'resources/read') {
      const { 'accept-encoding': encoding, accept, 'mcp-method': named, 'mcp-name': uri } = req.headers;
      asked = { isLean: encoding === 'identity', params, headers: { accept, named, uri } };
    }
    return endpoint.handle(Object.assign(req, { body }), res);
  };
  const http = createServer(era === 'legacy' ? legacyOnly(handle) : (req, res) => void handle(req, res));
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen on a port.');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    reads,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await endpoint.close();
      await server.close();
    },
  };
}

async function outcomeOf(tracker: Tracker, uri: string): Promise<unknown> {
  return tracker.read('pages', uri).catch((error: unknown) => {
    const { code, message } = Object(error);
    return { code, message };
  });
}

it.each(eras)('direct reads and reads through the SDK give the same results at a %s server', async (era) => {
  await using pages = await upstream(era);
  const entry = { id: 'pages', url: pages.url, headers: {}, enabled: true, trackResources: false };
  const config = { servers: [entry], tokens: [] };
  const direct = await openTracker({ config });
  // A custom fetch is always used, so this tracker reads through the SDK.
  const usual = await openTracker({ config, fetch: (input, init) => fetch(input, init) });
  for (const name of cases) {
    const uri = `page://${name}`;
    const [one, other] = [await outcomeOf(direct, uri), await outcomeOf(usual, uri)];
    expect([name, one]).toEqual([name, other]);
  }
  const isLean = (name: string) => pages.reads.some((read) => read.name === name && read.isLean);
  expect(cases.filter(isLean)).toEqual(cases.filter((name) => name !== 'name-ä'));
  const [one, other] = [true, false].map((isLean) =>
    pages.reads.find((read) => read.name === 'plain' && read.isLean === isLean),
  );
  expect(one).toEqual({ ...other, isLean: true });
  // A resource that was too long or not plain is read through the SDK at once from now on.
  const before = pages.reads.length;
  await direct.read('pages', 'page://large');
  await direct.read('pages', 'page://bytes');
  await direct.read('pages', 'page://plain');
  const since = pages.reads.slice(before).map((read) => read.isLean);
  expect(since).toEqual([false, false, true]);
  await direct.close();
  await usual.close();
});
