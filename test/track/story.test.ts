// The acceptance criteria of resource tracking, one test each, titled as in their source. Real processes, a real file,
// a real event stream.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { type Config, loadConfig, parseConfig, watchConfig } from '@tidings/track';
import { updateMessage } from '@tidings/client/tell';
import { describe, expect, it } from 'vitest';
import { ScriptedServer } from './scripted-server.ts';
import { RecordingLog } from './recording-log.ts';
import { tracked } from './tracked.ts';
import { timeLimit } from '../support/run/time-limit.ts';

const criterionMs = 5000;

function notes(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`note://${n}`, `text ${n}`]));
}

function parse(servers: unknown[]): Config {
  return parseConfig(JSON.stringify({ servers }), { file: 'config/mcp-servers.json', env: {} });
}

describe('Story 1: Opt-in resource tracking per server', () => {
  it('`config/mcp-servers.json` supports `trackResources` (default `false`) and rejects non-boolean values', () => {
    const entry = { id: 'notes', command: 'notes-server' };
    expect(parse([entry]).servers[0]?.trackResources).toBe(false);
    expect(parse([{ ...entry, trackResources: true }]).servers[0]?.trackResources).toBe(true);
    for (const wrong of ['true', 1, null, [], {}]) {
      expect(() => parse([{ ...entry, trackResources: wrong }])).toThrow(
        'config/mcp-servers.json: servers[0] ("notes"): trackResources: must be a boolean.',
      );
    }
  });

  it('Enabling the flag triggers `resources/list` + `resources/subscribe` for every resource exposed by that server within 5 seconds of process start', async () => {
    await using server = await ScriptedServer.create({ resources: notes(50), logRequests: true });
    await using ignored = await ScriptedServer.create({ resources: notes(5), logRequests: true });
    const started = performance.now();
    await using t = await tracked([server.entry('notes'), ignored.entry('other', { trackResources: false })]);
    await t.isLive('notes');
    expect(performance.now() - started).toBeLessThan(timeLimit(criterionMs));
    const requests = await server.requests();
    expect(requests).toContain('resources/list');
    for (const uri of Object.keys(server.resources)) expect(requests).toContain(`resources/subscribe ${uri}`);
    await t.isLive('other');
    expect((await ignored.requests()).join()).not.toContain('subscribe');
  });

  it('Removing or disabling the flag stops any active subscriptions within 5 seconds of reload/stop', async () => {
    await using server = await ScriptedServer.create({ resources: notes(20), logRequests: true });
    await using removed = await ScriptedServer.create({ resources: notes(3) });
    const folder = await mkdtemp(join(tmpdir(), 'tidings-config-'));
    await mkdir(join(folder, 'config'));
    const file = join(folder, 'config', 'mcp-servers.json');
    const write = (...servers: object[]) => writeFile(file, JSON.stringify({ servers }));
    await write(server.entry('notes'), removed.entry('gone'));
    const t = await tracked(loadConfig({ file, env: {} }).servers);
    const changed = (config: Config) => t.tracker.apply(config);
    const watcher = watchConfig({ file, env: {} }, { changed, rejected: expect.unreachable }, systemClock);
    try {
      const pid = (await t.isLive('gone')).pid;
      await t.isLive('notes');

      const edited = performance.now();
      const { trackResources: _, ...withoutFlag } = server.entry('notes');
      await write(withoutFlag);
      await eventually('no subscriptions', () => t.status('notes').wanted === 0 && t.status('notes').subscribed === 0);
      await eventually('the other process to end', () => !isAlive(pid));
      expect(performance.now() - edited).toBeLessThan(timeLimit(criterionMs));
      const requests = await server.requests();
      for (const uri of Object.keys(server.resources)) expect(requests).toContain(`resources/unsubscribe ${uri}`);
      await server.put('note://1', 'changed without a notification');

      const stopping = performance.now();
      const last = t.status('notes').pid;
      await t.tracker.close();
      expect(isAlive(last)).toBe(false);
      expect(performance.now() - stopping).toBeLessThan(timeLimit(criterionMs));
      expect(t.events.updates).toEqual([]);
    } finally {
      watcher.close();
      await t[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    }
  });

  it('Servers that lack MCP `resources` capability log a warning and skip tracking without crashing the manager', async () => {
    const log = new RecordingLog();
    await using bare = await ScriptedServer.create({ resources: {}, capabilities: { tools: {} }, logRequests: true });
    await using server = await ScriptedServer.create({ resources: notes(1) });
    await using t = await tracked([bare.entry('bare'), server.entry('notes')], { log });
    await eventually('unsupported', () => t.status('bare').state === 'unsupported');
    await t.isLive('notes');
    await server.put('note://0', 'changed');
    await t.events.told('note://0');
    expect(log.lines.filter(({ level, fields }) => level === 'warn' && fields['server'] === 'bare')).toHaveLength(1);
    expect((await bare.requests()).join()).not.toContain('resources/');
    expect(t.events.all('resource_error')).toMatchObject([{ serverId: 'bare', reason: 'unsupported' }]);
  });
});

describe('Story 2: Consistent subscription lifecycle', () => {
  it('`notifications/resources/list_changed` triggers a fresh list+subscribe cycle and replaces previous subscriptions atomically', async () => {
    await using server = await ScriptedServer.create({ resources: notes(10), logRequests: true });
    await using t = await tracked([server.entry('notes')]);
    await t.isLive('notes');
    const { 'note://0': _gone, ...rest } = server.resources;
    await server.edit({ resources: { ...rest, 'note://new': 'new' } });
    await eventually('the new list', () => t.events.all('list_changed').length > 0);
    expect(t.events.all('list_changed')).toMatchObject([
      { serverId: 'notes', added: ['note://new'], removed: ['note://0'] },
    ]);
    await eventually('the new subscription', async () =>
      (await server.requests()).includes('resources/unsubscribe note://0'),
    );
    // Unchanged resources stayed subscribed, and new ones were subscribed to before removed ones were unsubscribed.
    const requests = (await server.requests()).filter((line) => line.includes('subscribe'));
    expect(requests.slice(10)).toEqual(['resources/subscribe note://new', 'resources/unsubscribe note://0']);
    await server.put('note://new', 'newer');
    await server.put('note://9', 'still followed');
    await t.events.told('note://new');
    await t.events.told('note://9');
  });

  it('Tracker retries transient failures (e.g., network) with exponential backoff capped at 30s and surfaces errors via telemetry', async () => {
    await using server = await ScriptedServer.create({ resources: notes(1) });
    const entry = server.entry('flaky', { command: '/nowhere/at/all' });
    const log = new RecordingLog();
    await using t = await tracked([entry], { log });
    await eventually('three failures', () => t.status('flaky').failures >= 3);
    expect(t.status('flaky').detail).toMatch(
      /could not be started.*failed \d times in a row.*Trying again in [\d.]+ s/,
    );
    const waits = log.lines.flatMap(({ fields }) => /again in ([\d.]+) s/.exec(String(fields['detail']))?.[1] ?? []);
    expect(waits.length).toBeGreaterThanOrEqual(3);
    expect(waits.map(Number)).toEqual(waits.map(Number).sort((a, b) => a - b));
    expect(await t.tracker.metrics()).toMatch(
      /tidings_tracker_errors_total\{server="flaky",reason="connect"\} ([3-9]|\d\d)/,
    );
    t.tracker.apply({ servers: [server.entry('flaky')], tokens: [] });
    await t.isLive('flaky');
  });

  it('Duplicate notifications for the same resource URI within 2 seconds are de-duped to a single downstream update event', async () => {
    await using server = await ScriptedServer.create({ resources: notes(2), logRequests: true });
    await using t = await tracked([server.entry('notes')]);
    await t.isLive('notes');
    await server.put('note://0', 'changed');
    await t.events.told('note://0');
    // The tracker reads the new content well before the duplicates arrive: a read may overtake a notification.
    await eventually('the new content to be read', () => {
      const { isStale, readAt } = t.tracker.upstream('notes').snapshot('note://0') ?? { isStale: true, readAt: 0 };
      return !isStale && Date.now() - readAt > 150;
    });
    const reads = async () => (await server.requests()).filter((line) => line === 'resources/read note://0').length;
    const before = await reads();
    await server.act('notify', { uri: 'note://0', times: 5 });
    await eventually('one more read at the end of the window', async () => (await reads()) === before + 1);
    await eventually('the second event to be withheld', async () =>
      (await t.tracker.metrics()).includes('tidings_events_withheld_total{server="notes"} 1'),
    );
    await server.put('note://1', 'a fence');
    await t.events.told('note://1');
    expect(t.events.timesTold('note://0')).toBe(1);
  });

  it('Tracker survives MCP server restarts by re-establishing subscriptions without manual intervention', async () => {
    await using server = await ScriptedServer.create({ resources: notes(3) });
    await using t = await tracked([server.entry('notes')]);
    const { pid } = await t.isLive('notes');
    process.kill(pid ?? expect.unreachable(), 'SIGKILL');
    await eventually('another process', () => t.status('notes').pid !== pid && t.status('notes').state === 'live');
    await server.put('note://2', 'after the restart');
    await t.events.told('note://2');
  });
});

describe('Story 3: Realtime agent notified of content updates', () => {
  it('When a subscribed resource fires `notifications/resources/updated`, VibeChat emits a lightweight event containing `serverId`, `resourceUri`, and a timestamp within 3 seconds of receipt', async () => {
    await using server = await ScriptedServer.create({ resources: notes(1) });
    await using t = await tracked([server.entry('notes')]);
    await t.isLive('notes');
    const before = Date.now();
    await server.put('note://0', 'changed');
    await t.events.told('note://0');
    const [event] = t.events.all('resource_update');
    expect(event).toEqual({
      type: 'resource_update',
      serverId: 'notes',
      resourceUri: 'note://0',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(Date.parse(event?.timestamp ?? '') - before).toBeLessThan(timeLimit(3000));
    expect(await t.tracker.metrics()).toContain(
      'tidings_announce_seconds_bucket{le="3",server="notes",edge="leading"} 1',
    );
  });

  it('The realtime adapter receives the event and immediately injects a transcript message formatted as `Resource <URI> updated for MCP server <serverId> at <timestamp>` (timestamp in ISO 8601) without blocking the notification path', async () => {
    await using server = await ScriptedServer.create({ resources: notes(2) });
    await using t = await tracked([server.entry('notes')]);
    await t.isLive('notes');
    const transcript: string[] = [];
    let place = t.tracker.journal.end;
    // An adapter that is busy with the first message for ever does not delay the others.
    t.tracker.journal.follow(() => {
      for (; place < t.tracker.journal.end; place += 1) {
        const event = t.tracker.journal.at(place)?.event;
        if (event?.type === 'resource_update') transcript.push(updateMessage(event));
      }
    });
    await server.put('note://0', 'changed');
    await t.events.told('note://0');
    const [event] = t.events.all('resource_update');
    expect(transcript).toEqual([`Resource note://0 updated for MCP server notes at ${event?.timestamp}`]);
    await server.put('note://1', 'changed too');
    await t.events.told('note://1');
    expect(transcript).toHaveLength(2);
  });

  it('Updates are also exposed via a server-sent events (SSE) endpoint so UI components can reflect resource activity', async () => {
    await using server = await ScriptedServer.create({ resources: notes(1) });
    await using t = await tracked([server.entry('notes')]);
    await t.isLive('notes');
    expect(t.events.retry).toBe('5000');
    expect(t.events.handshake).toMatchObject({ type: 'handshake', status: 'ready', cursor: expect.any(String) });
    await server.put('note://0', 'changed');
    await t.events.told('note://0');
    const frame = t.events.frames.at(-1);
    expect(frame?.id).toBe(t.tracker.journal.cursor);
    expect(frame?.data).toMatchObject({ type: 'resource_update', serverId: 'notes', resourceUri: 'note://0' });
  });
});

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}
