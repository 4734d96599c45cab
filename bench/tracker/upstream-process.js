// The servers of a benched tracker in their own process. With the legacy era, they refuse the modern one.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpEndpoint, liveServer } from '@tidings/live';
import { answerCalls } from '../calls.js';
import { nameOf, template } from '../items.js';

const servers = [];

answerCalls({
  async serve({ servers: count, resources, era }) {
    for (let n = 0; n < count; n += 1) servers.push(await serve(resources, era));
    return servers.map(({ url }) => url);
  },

  /** Changes each item of the first server once, at this rate; returns the time of each change, in order. */
  async change({ items, perSecond }) {
    const [server] = servers;
    const perTurn = Math.max(1, Math.round(perSecond / 200));
    const times = [];
    const started = now();
    for (let n = 0; n < items; n += perTurn) {
      for (let item = n; item < Math.min(n + perTurn, items); item += 1) times.push(server.change(item));
      // By the clock, so that a pause that was too long is made up for.
      await sleep(Math.max(0, started + ((n + perTurn) * 1000) / perSecond - now()));
    }
    return times;
  },
});

async function serve(resources, era) {
  const versions = new Map();
  const server = liveServer({ name: 'bench', version: '1.0.0', windowMs: 0, pageSize: 1000 });
  const item = server.resource(template, {
    read: ({ name }) => String(versions.get(name) ?? 0),
    list: () => Array.from({ length: resources }, (_, n) => ({ name: nameOf(n) })),
  });
  const endpoint = httpEndpoint(server, { keepAliveMs: 600_000 });
  const http = createServer((req, res) => void answer(endpoint, era, req, res));
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${http.address().port}/mcp`,
    change: (n) => {
      const name = nameOf(n);
      versions.set(name, (versions.get(name) ?? 0) + 1);
      const at = now();
      item.changed({ name });
      return at;
    },
  };
}

async function answer(endpoint, era, req, res) {
  if (era === 'modern' || req.headers['mcp-method'] !== 'server/discover') return endpoint.handle(req, res);
  const { id } = JSON.parse(Buffer.concat(await req.toArray()).toString());
  const error = { code: -32601, message: 'Method not found' };
  return res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
}

/** Milliseconds on the clock that all processes of a machine share. */
function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}
