// State that outlives the tracker: the journal, the contents' hashes, and agreed definitions.
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { liveServer } from '@tidings/live';
import { openTracker } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { SseClient } from '../support/wire/sse-client.ts';
import { ScriptedServer } from './scripted-server.ts';
import { TrackerProcess, temporaryFolder } from './tracker-process.ts';
import { tracked } from './tracked.ts';

const notes = { 'note://0': 'zero', 'note://1': 'one', 'note://2': 'two' };

/** Whether the event, and the hashes of all three contents, are stored for another process. */
async function isWritten(place: string, server: ScriptedServer, cursor: string): Promise<boolean> {
  const servers = [server.entry('s', { enabled: false })];
  const look = await openTracker({ config: { servers, tokens: [] }, place });
  const [status] = look.servers();
  const isKnown = look.journal.positionAfter(cursor) !== undefined && status?.hashed === 3;
  await look.close();
  return isKnown;
}

/** A tracker of a pinned server with these tools (name: description), once their list has been read. */
async function withTools(place: string, tools: Record<string, string>) {
  const server = liveServer({ name: 'tools', version: '1.0.0' });
  for (const [name, description] of Object.entries(tools)) server.tool(name, { description }, () => '');
  const entry = { id: 'b', builtin: 'tools', enabled: true, trackResources: false, pin: true };
  const t = await tracked([entry], { place, builtins: { tools: () => server } });
  const { definitions } = t.tracker.upstream('b');
  let readings = 0;
  definitions.follow(() => (readings += 1));
  await eventually('the definitions to be read', () => readings > 0 && t.status('b').state === 'live');
  await definitions.whenRead();
  return { t, definitions, offered: () => definitions.offered('tools').map(({ name }) => name) };
}

async function isJournaled(place: string, server: ScriptedServer, cursor: string): Promise<boolean> {
  const look = await openTracker({ config: { servers: [server.entry('s', { enabled: false })], tokens: [] }, place });
  const isKnown = look.journal.positionAfter(cursor) !== undefined;
  await look.close();
  return isKnown;
}

/** The tests that apply to every place of the journal. */
function whereverItIs(createPlace: (folder: string) => Promise<string>): void {
  it('compares definitions with those before the restart, and withholds changed ones of a pinned server', async () => {
    await using folder = await temporaryFolder();
    const place = await createPlace(folder.path);
    // A name that a database would refuse.
    const odd = 'odd\u0000';
    const first = await withTools(place, { a: 'one', b: 'one', [odd]: 'one' });
    expect(first.offered()).toHaveLength(3);
    await first.t[Symbol.asyncDispose]();
    const second = await withTools(place, { a: 'two\u0000', b: 'two', [odd]: 'one' });
    expect(second.offered()).toEqual([odd]);
    const held = second.definitions.held();
    expect(held.map(({ name, changes }) => ({ name, changes }))).toEqual([
      { name: 'a', changes: ['description'] },
      { name: 'b', changes: ['description'] },
    ]);
    await second.t.tracker.trust('b', held.slice(0, 1));
    // The agreement is stored at once, however the process ends.
    const third = await withTools(place, { a: 'two\u0000', b: 'two', [odd]: 'one' });
    expect(third.offered()).toEqual(['a', odd]);
    expect(third.definitions.held()).toMatchObject([{ name: 'b' }]);
    await third.t[Symbol.asyncDispose]();
    await second.t[Symbol.asyncDispose]();
  });

  it('replays events after a cursor that was issued before the restart', async () => {
    await using folder = await temporaryFolder();
    const place = await createPlace(folder.path);
    await using server = await ScriptedServer.create({ resources: notes });
    const first = await tracked([server.entry('s')], { place });
    await first.isLive('s');
    await server.put('note://0', 'changed');
    await first.events.told('note://0');
    const cursor = first.events.lastId ?? '';
    await server.put('note://1', 'changed');
    await first.events.told('note://1');
    // Changes that are not stored as reported would be reported once more.
    const last = first.events.lastId ?? '';
    await eventually('everything to be written', () => isWritten(place, server, last));
    await first[Symbol.asyncDispose]();

    await using second = await tracked([server.entry('s')], { place });
    const reader = await SseClient.open(second.url, { 'Last-Event-ID': cursor });
    await reader.told('note://1');
    await second.isLive('s');
    expect(reader.all('gap')).toEqual([]);
    expect(reader.updates).toEqual(['note://1']);
    reader.close();
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'reports exactly the resources that changed between %s and the restart',
    async (signal) => {
      await using folder = await temporaryFolder();
      const place = await createPlace(folder.path);
      await using server = await ScriptedServer.create({ resources: notes });
      const first = await TrackerProcess.start(folder.path, [server.entry('s')], place);
      await first.isLive('s');
      await server.put('note://0', 'changed before');
      const { cursor } = await first.told('note://0');
      await eventually('everything to be written', () => isWritten(place, server, cursor));
      await first.end(signal);
      await server.put('note://2', 'changed while it was away');

      await using second = await TrackerProcess.start(folder.path, [server.entry('s')], place);
      await second.told('note://2');
      await second.isLive('s');
      const at = second.lines.findIndex((line) => line.cursor === cursor);
      expect(at).toBeGreaterThanOrEqual(0);
      const told = second.lines
        .slice(at + 1)
        .flatMap(({ event }) => (event.type === 'resource_update' ? [event.resourceUri] : []));
      expect(told).toEqual(['note://2']);
      expect(second.lines.filter(({ event }) => event.type === 'gap')).toEqual([]);
    },
  );

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'reports an update that its window still held at %s, although a client had read the new content',
    async (signal) => {
      await using folder = await temporaryFolder();
      const place = await createPlace(folder.path);
      await using server = await ScriptedServer.create({ resources: notes });
      const first = await TrackerProcess.start(folder.path, [server.entry('s')], place, ['note://0']);
      await first.isLive('s');
      await server.put('note://0', 'first change');
      const { cursor } = await first.told('note://0');
      await server.put('note://0', 'second change');
      await eventually('a client to have read it', () => first.read.includes('second change'));
      await eventually('the first event to be written', () => isJournaled(place, server, cursor));
      await first.end(signal);

      // Either the second event was stored, or the difference is found again.
      await using second = await TrackerProcess.start(folder.path, [server.entry('s')], place);
      await eventually('the second change to be told', () => {
        const at = second.lines.findIndex((line) => line.cursor === cursor);
        const later = second.lines.slice(at + 1).map(({ event }) => event);
        return later.some((event) => event.type === 'resource_update' && event.resourceUri === 'note://0');
      });
    },
  );

  it('that was killed right after an event reports later changes to every reader, or a gap', async () => {
    await using folder = await temporaryFolder();
    const place = await createPlace(folder.path);
    await using server = await ScriptedServer.create({ resources: notes });
    const first = await TrackerProcess.start(folder.path, [server.entry('s')], place);
    await first.isLive('s');
    await server.put('note://0', 'changed before');
    const { cursor } = await first.told('note://0');
    await eventually('everything to be written', () => isWritten(place, server, cursor));
    // Killed before the archive can store the event; another resource changes while the tracker is down.
    await server.put('note://1', 'changed at the last moment');
    await first.told('note://1');
    await first.end('SIGKILL');
    await server.put('note://2', 'changed while it was away');

    await using second = await tracked([server.entry('s')], { place });
    const reader = await SseClient.open(second.url, { 'Last-Event-ID': cursor });
    for (const uri of ['note://1', 'note://2']) await reader.told(uri);
    expect(reader.all('gap')).toEqual([]);
    expect(reader.timesTold('note://0')).toBe(0);
    // A reader with the last cursor before the kill gets the update too, or a gap.
    const last = await SseClient.open(second.url, { 'Last-Event-ID': first.lines.at(-1)?.cursor ?? '' });
    await eventually('the rest', () => last.timesTold('note://2') > 0 || last.all('gap').length > 0);
    for (const each of [reader, last]) each.close();
  });
}

describe('a tracker that is started again', () => {
  whereverItIs((folder) => Promise.resolve(join(folder, 'data')));

  it('reports a gap to a reader with an unknown cursor', async () => {
    await using server = await ScriptedServer.create({ resources: notes });
    await using t = await tracked([server.entry('s')]);
    await t.isLive('s');
    for (const headers of [{ 'Last-Event-ID': 'from-another-life-7' }, { 'Last-Event-ID': '%00' }]) {
      const reader = await SseClient.open(t.url, headers);
      await eventually('a gap', () => reader.all('gap').length === 1);
      expect(reader.frames.map(({ data }) => data.type)).toEqual(['handshake', 'gap']);
      // A reader that comes back with the cursor of the gap continues there.
      expect(reader.frames[0]?.id).toBeUndefined();
      expect(reader.lastId).toBe(t.tracker.journal.cursor);
      reader.close();
    }
  });

  it('follows a server that is added again before its removed upstream has ended', async () => {
    await using folder = await temporaryFolder();
    await using slow = await ScriptedServer.create({ resources: notes }, ['--ignores-end']);
    await using server = await ScriptedServer.create({ resources: notes });
    {
      await using t = await tracked([slow.entry('s')], { place: folder.path });
      await t.isLive('s');
      t.tracker.apply({ servers: [], tokens: [] });
      t.tracker.apply({ servers: [server.entry('s')], tokens: [] });
      await t.isLive('s');
      await eventually('the contents to be read', () => t.status('s').hashed === 3);
    }
    await server.edit({ resources: { ...notes, 'note://1': 'changed' } });
    await using t = await tracked([server.entry('s')], { place: folder.path });
    await t.isLive('s');
    await eventually('the change to be told', () => t.events.timesTold('note://1') === 1);
  });

  it('remembers the era of a server, and when it was last seen', async () => {
    await using folder = await temporaryFolder();
    await using server = await ScriptedServer.create({ resources: notes, logRequests: true });
    for (const probes of [1, 1]) {
      await using t = await tracked([server.entry('s')], { place: folder.path });
      const { era, eraSeen } = await t.isLive('s');
      expect(era).toBe('legacy');
      expect(Date.parse(eraSeen ?? '')).toBeLessThanOrEqual(Date.now());
      expect((await server.requests()).filter((line) => line === 'server/discover')).toHaveLength(probes);
    }
  });
});

describeWith(postgresNeed, 'a tracker with its journal in PostgreSQL that is started again', () => {
  whereverItIs(freshDatabase);
});
