// A hub that is killed during writes, reads and open streams, and started again on the same folder.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectHttp, eventually } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { eventsSchema, serversSchema } from '../support/wire/strict-answers.ts';
import { SseClient } from '../support/wire/sse-client.ts';

const memory = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-memory/dist/index.js', import.meta.url),
);

async function folderWithConfig(): Promise<{ data: string; config: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-killed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const config = join(folder, 'servers.json');
  const servers = [
    { id: 'vcon', builtin: 'vcon', trackResources: true },
    {
      id: 'memory',
      command: process.execPath,
      args: [memory],
      env: { MEMORY_FILE_PATH: join(folder, 'graph.jsonl') },
      trackResources: true,
    },
  ];
  await writeFile(config, JSON.stringify({ servers }));
  return { data: join(folder, 'data'), config };
}

async function start({ data, config }: { data: string; config: string }) {
  const hub = new TidingsProcess(['up', '--port', '0', '--data', data, '--config', config, '--json']);
  const { url }: { url: string } = JSON.parse(await hub.line());
  const servers = async () => serversSchema.parse(await (await fetch(`${url}/api/servers`)).json()).servers;
  await eventually('the servers to be live', async () => (await servers()).every(({ state }) => state === 'live'));
  return { hub, url, servers };
}

/** Writes one conversation after the other until the hub stops answering; resolves with the confirmed ones. */
async function writeUntilRefused(url: string, name: string): Promise<string[]> {
  const writer = await connectHttp(`${url}/mcp`, 'modern');
  const confirmed: string[] = [];
  try {
    for (;;) {
      const answer = JSON.parse(await writer.call('vcon_create_vcon', { subject: `${name} ${confirmed.length}` }));
      confirmed.push(String(Object(answer).uuid));
    }
  } catch {
    return confirmed;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it(
  'a killed hub loses no confirmed write, leaves no process behind, and its journal continues',
  { timeout: 90_000 },
  async () => {
    const place = await folderWithConfig();
    const first = await start(place);
    const stream = await SseClient.open(`${first.url}/api/mcp/resource-events`);
    const listener = await connectHttp(`${first.url}/mcp`, 'legacy');
    await listener.subscribe('vcon://v1/vcons/recent', 'memory://knowledge-graph');
    const pid = (await first.servers()).find(({ id }) => id === 'memory')?.pid ?? expect.fail('no process');
    const writing = Promise.all(['one', 'two', 'three'].map((name) => writeUntilRefused(first.url, name)));
    await eventually('updates under load', () => stream.frames.length > 6 && listener.updates.length > 1);
    const { cursor: early } = eventsSchema.parse(await (await fetch(`${first.url}/api/events?limit=3`)).json());
    await first.hub.end('SIGKILL');
    const confirmed = (await writing).flat();
    expect(confirmed.length).toBeGreaterThan(3);
    await eventually('its server process to be gone', () => !isAlive(pid));

    const second = await start(place);
    const reader = await connectHttp(`${second.url}/mcp`, 'modern');
    for (const uuid of confirmed) expect(await reader.read(`vcon://v1/vcons/${uuid}/metadata`)).toContain(uuid);
    // The journal before the kill is still there …
    const kept = eventsSchema.parse(
      await (await fetch(`${second.url}/api/events?after=${encodeURIComponent(early)}`)).json(),
    );
    expect(kept.has_gap).toBe(false);
    expect(kept.events.length).toBeGreaterThan(0);
    // … and the last cursor is either continued from or reported as unknown.
    const last = stream.frames.findLast(({ id }) => id !== undefined)?.id ?? expect.fail('no cursor');
    const again = await SseClient.open(`${second.url}/api/mcp/resource-events`, { 'Last-Event-ID': last });
    await reader.call('vcon_create_vcon', { subject: 'after the restart' });
    await eventually('what happened since', () =>
      again.frames.some(({ data }) => data.type === 'resource_update' || data.type === 'gap'),
    );
    const page = eventsSchema.parse(
      await (await fetch(`${second.url}/api/events?limit=1000&after=${encodeURIComponent(last)}`)).json(),
    );
    expect(again.frames.some(({ data }) => data.type === 'gap')).toBe(page.has_gap || hasGap(page.events));
    const ids = again.frames.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    again.close();
    await reader.close();
    expect((await second.hub.end('SIGTERM')).code).toBe(0);
  },
);

function hasGap(events: readonly { type: string }[]): boolean {
  return events.some(({ type }) => type === 'gap');
}
