// Third-party servers and our own, followed through real processes and sockets.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { httpEndpoint } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { openSchedules } from '@tidings/schedules';
import { freePort } from '../support/network/free-port.ts';
import type { CommandEntry } from '@tidings/track';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scheduleCommand } from '../schedules/cells.ts';
import { NtfyReceiver } from '../support/counterpart/ntfy-receiver.ts';
import { answerInEra } from './era-front.ts';
import { tracked } from './tracked.ts';

const { resolve } = createRequire(import.meta.url);
const everything = resolve('@modelcontextprotocol/server-everything/dist/index.js');
const memory = resolve('@modelcontextprotocol/server-memory/dist/index.js');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-real-'));
});
afterAll(() => rm(folder, { recursive: true, maxRetries: 5 }));

function command(id: string, args: string[], env: Record<string, string> = {}): CommandEntry {
  return { id, command: process.execPath, args, env, enabled: true, trackResources: true };
}

describe('server-memory', () => {
  it('each change of its graph is reported', async () => {
    const entry = command('memory', [memory], { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') });
    await using t = await tracked([entry]);
    const status = await t.isLive('memory');
    expect(status).toMatchObject({ era: 'legacy', transport: 'stdio', resources: 1, subscribed: 1 });
    const graph = 'memory://knowledge-graph';
    const add = (name: string) =>
      t.tracker.upstream('memory').use((client) =>
        client.callTool({
          name: 'create_entities',
          arguments: { entities: [{ name, entityType: 'person', observations: [] }] },
        }),
      );
    await add('Ada');
    await t.events.told(graph);
    expect(JSON.stringify(await t.tracker.read('memory', graph))).toContain('Ada');
    await add('Grace');
    await t.events.told(graph, 1);
    expect(JSON.stringify(await t.tracker.read('memory', graph))).toContain('Grace');
  });
});

describe('server-everything', () => {
  it('is followed on stdio', async () => {
    await using t = await tracked([command('everything', [everything, 'stdio'])]);
    const { resources, subscribed } = await t.isLive('everything');
    expect(resources).toBeGreaterThan(0);
    expect(subscribed).toBe(resources);
    await t.tracker.upstream('everything').use((client) => client.callTool({ name: 'toggle-subscriber-updates' }));
    const [uri = ''] = t.tracker.upstream('everything').catalog.resources.keys();
    await t.events.told(uri);
  });

  it('is followed over HTTP, also after its list has changed', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { PATH: process.env['PATH'] ?? '', PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      await listening(child);
      const entry = { id: 'everything', url: `http://127.0.0.1:${port}/mcp`, headers: {} };
      await using t = await tracked([{ ...entry, enabled: true, trackResources: true }]);
      const { era, resources } = await t.isLive('everything');
      expect(era).toBe('legacy');
      await t.tracker.upstream('everything').use((client) =>
        client.callTool({
          name: 'gzip-file-as-resource',
          arguments: { name: 'new.gz', data: 'data:text/plain,hello', outputType: 'resourceLink' },
        }),
      );
      await eventually('the new resource', () => t.status('everything').subscribed > resources);
      await eventually('the list to be told', () => t.events.all('list_changed')[0]?.added.length === 1);
      await t.tracker.upstream('everything').use((client) => client.callTool({ name: 'toggle-subscriber-updates' }));
      await eventually('an update', () => t.events.updates.length > 0);
    } finally {
      child.kill();
    }
  });
});

describe('a server made with the official SDK alone', () => {
  it('is followed in the modern era', async () => {
    const program = fileURLToPath(new URL('sdk-modern-server.js', import.meta.url));
    await using t = await tracked([command('sdk', [program])]);
    expect(await t.isLive('sdk')).toMatchObject({ era: 'modern', resources: 2, subscribed: 2 });
    const put = (name: string, text: string) =>
      t.tracker.upstream('sdk').use((client) => client.callTool({ name: 'put', arguments: { name, text } }));
    await put('one', 'changed');
    await t.events.told('sdk://one');
    await put('three', 'new');
    await eventually('the new resource', () => t.status('sdk').subscribed === 3);
    await put('three', 'newer');
    await t.events.told('sdk://three');
    expect((await t.tracker.read('sdk', 'sdk://three')).contents[0]).toMatchObject({ text: 'newer' });
  });
});

describe('a server that supports only 2026-07-28', () => {
  it('is connected to, however slowly its process starts', async () => {
    const program = fileURLToPath(new URL('sdk-modern-server.js', import.meta.url));
    // It answers nothing for several times as long as the first probe waits.
    const slowly = `setTimeout(() => import(${JSON.stringify(program)}), 1000)`;
    await using t = await tracked([command('slow', ['--input-type=module', '-e', slowly])], {
      settings: { probeMs: 400 },
    });
    expect(await t.isLive('slow')).toMatchObject({ era: 'modern', subscribed: 2 });
  });
});

describe('a server of both eras', () => {
  it('is used in the modern era, however slowly its process starts', async () => {
    const program = fileURLToPath(new URL('../fixtures/task-server-2.js', import.meta.url));
    // By the time it answers server/discover, it has been sent an initialize request of 2025 as well.
    const slowly = `setTimeout(() => import(${JSON.stringify(program)}), 1000)`;
    const entry = { ...command('slow', ['--input-type=module', '-e', slowly]), trackResources: false };
    await using t = await tracked([entry], { settings: { probeMs: 400 } });
    expect(await t.isLive('slow')).toMatchObject({ era: 'modern' });
  });
});

describe('the schedules server', () => {
  it.each(['modern', 'legacy'] as const)('is followed over HTTP in the %s era', async (era) => {
    await using ntfy = await NtfyReceiver.start();
    const server = await openSchedules({ place: join(folder, era), ntfyUrl: ntfy.url });
    const endpoint = httpEndpoint(server);
    const http = createHttpServer((req, res) => void answerInEra(era, endpoint, req, res));
    const port = await freePort();
    await new Promise<void>((resolve) => void http.listen(port, '127.0.0.1', resolve));
    try {
      const entry = { id: 's', url: `http://127.0.0.1:${port}/mcp`, headers: {}, enabled: true, trackResources: true };
      await using t = await tracked([entry]);
      expect((await t.isLive('s')).era).toBe(era);
      const schedule = (message: string) =>
        t.tracker.upstream('s').use((client) =>
          client.callTool({
            name: 'schedule_cron_notification',
            arguments: { message, notification_topic: 'team', cron: '0 0 1 1 *', timezone: 'UTC' },
          }),
        );
      await schedule('first');
      await eventually('the topic', () => t.status('s').resources === 3 && t.status('s').subscribed === 3);
      await schedule('second');
      await t.events.told('schedules://team');
      expect(JSON.stringify(await t.tracker.read('s', 'schedules://team'))).toContain('second');
    } finally {
      await endpoint.close();
      http.closeAllConnections();
      http.close();
      await server.close();
    }
  });

  it('is followed on stdio, and notifies of changes made by another process', async () => {
    await using ntfy = await NtfyReceiver.start();
    const { command: program, args, env } = scheduleCommand(folder, ntfy.url);
    const entry = (id: string) => ({ id, command: program, args, env, enabled: true, trackResources: id === 'a' });
    await using t = await tracked([entry('a'), entry('b')]);
    await Promise.all([t.isLive('a'), t.isLive('b')]);
    const schedule = (message: string) =>
      t.tracker.upstream('b').use((client) =>
        client.callTool({
          name: 'schedule_cron_notification',
          arguments: { message, notification_topic: 'team', cron: '0 0 1 1 *', timezone: 'UTC' },
        }),
      );
    await schedule('first');
    await eventually('the topic', () => t.status('a').resources === 3 && t.status('a').subscribed === 3);
    await schedule('second');
    await t.events.told('schedules://team');
    expect(t.events.all('resource_update').every(({ serverId }) => serverId === 'a')).toBe(true);
  });
});

async function listening(child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await eventually('the server to listen', () => /listening/i.test(said));
}
