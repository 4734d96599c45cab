// A hub in its own process with one server and realtime sessions. Records the arrival time of each notification of the
// server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuiltinServers } from '../../packages/hub/dist/builtins.js';
import { Hub } from '../../packages/hub/dist/hub.js';
import { answerCalls } from '../calls.js';
import { firstItems, uriOf } from '../items.js';

const place = mkdtempSync(join(tmpdir(), 'tidings-bench-'));
process.on('exit', () => rmSync(place, { recursive: true, force: true }));
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
const received = new Map();
let hub;

answerCalls({
  async start({ url, items, realtime }) {
    const server = { id: 'bench', url, headers: {}, enabled: true, trackResources: true };
    hub = await Hub.open({
      config: { servers: [server], tokens: [], realtime: [realtime] },
      builtins: new BuiltinServers({}),
      place,
      env: { KEY: 'sk-bench' },
      allowedHosts: ['127.0.0.1'],
      log,
    });
    while (hub.tracker.servers()[0].hashed < items) await moment();
    const upstream = hub.tracker.upstream('bench');
    // Watchers are called as the notification arrives.
    for (const item of firstItems(items)) await upstream.watch(uriOf(item), (uri) => received.set(uri, now())).ready;
  },

  /** Attaches one session for each list of patterns, and detaches all others. */
  async attach({ url, patterns }) {
    for (const { id } of hub.sessions.list()) if (id !== 'transcript') await hub.sessions.detach(id);
    for (const uris of patterns) await hub.sessions.attach({ kind: 'openai-realtime', key_env: 'KEY', url, uris });
    while (hub.sessions.list().some(({ state }) => state !== 'attached')) await moment();
  },

  /** The time of the last notification of each item, in order. */
  received: (items) => firstItems(items).map((item) => received.get(uriOf(item))),

  cpu: () => process.cpuUsage(),
});

function moment() {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}
