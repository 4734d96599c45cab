// The hub with one server in the same process, with or without its audit log. The server's reads are almost free, so
// that the cost of the audit shows.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liveServer } from '@tidings/live';
import { BuiltinServers } from '../../packages/hub/dist/builtins.js';
import { Hub } from '../../packages/hub/dist/hub.js';
import { template, value } from '../items.js';

const log = { debug: () => undefined, info: () => undefined, warn: console.error, error: console.error };

export async function serve({ audit }) {
  const place = mkdtempSync(join(tmpdir(), 'tidings-bench-'));
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
  const server = liveServer({ name: 'bench', version: '1.0.0' });
  server.resource(template, { mimeType: 'application/json', read: () => value });
  const hub = await Hub.open({
    config: {
      servers: [{ id: 'bench', builtin: 'bench', enabled: true, trackResources: false }],
      tokens: [],
      ...(audit === false && { audit }),
    },
    builtins: new BuiltinServers({ bench: async () => server }),
    place,
    env: {},
    allowedHosts: ['127.0.0.1'],
    log,
  });
  const { port } = await hub.http.listen(0, '127.0.0.1');
  while (hub.tracker.servers()[0].state !== 'live') await new Promise((resolve) => setTimeout(resolve, 5));
  return { url: `http://127.0.0.1:${port}/mcp`, change: () => undefined, framesWritten: () => 0 };
}
