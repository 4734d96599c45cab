// What outlives the tracker: the journal, and what it knew of each resource.
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { openTracker } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { describeWith } from '../support/needs.ts';
import { postgresNeed } from '../support/postgres.ts';
import { freshDatabase } from '../support/shared-postgres.ts';
import { SseClient } from '../support/sse-client.ts';
import { ScriptedServer } from './scripted-server.ts';
import { TrackerProcess, temporaryFolder } from './tracker-process.ts';
import { tracked } from './tracked.ts';

const notes = { 'note://0': 'zero', 'note://1': 'one', 'note://2': 'two' };

/** Whether another process would find the event, and the contents of all three. */
async function isWritten(place: string, server: ScriptedServer, cursor: string): Promise<boolean> {
  const servers = [server.entry('s', { enabled: false })];
  const look = await openTracker({ config: { servers, tokens: [] }, place });
  const [status] = look.servers();
  const isKnown = look.journal.placeAfter(cursor) !== undefined && status?.hashed === 3;
  await look.close();
  return isKnown;
}

/** What holds wherever the journal is kept. */
function whereverItIs(createPlace: (folder: string) => Promise<string>): void {
  it('replays what came after a cursor of its earlier life', async () => {
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
    await first[Symbol.asyncDispose]();

    await using second = await tracked([server.entry('s')], { place });
    const reader = await SseClient.open(second.url, { 'Last-Event-ID': cursor });
    await reader.told('note://1');
    expect(reader.all('gap')).toEqual([]);
    expect(reader.updates).toEqual(['note://1']);
    reader.close();
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'announces what changed while it was away after %s, and only that',
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

  it('that was killed in the middle of telling leaves nobody with old content', async () => {
    await using folder = await temporaryFolder();
    const place = await createPlace(folder.path);
    await using server = await ScriptedServer.create({ resources: notes });
    const first = await TrackerProcess.start(folder.path, [server.entry('s')], place);
    await first.isLive('s');
    await server.put('note://0', 'changed before');
    const { cursor } = await first.told('note://0');
    await eventually('everything to be written', () => isWritten(place, server, cursor));
    // Told, and killed before the archive can have it; changed again while nobody looks.
    await server.put('note://1', 'changed at the last moment');
    await first.told('note://1');
    await first.end('SIGKILL');
    await server.put('note://2', 'changed while it was away');

    await using second = await tracked([server.entry('s')], { place });
    const reader = await SseClient.open(second.url, { 'Last-Event-ID': cursor });
    for (const uri of ['note://1', 'note://2']) await reader.told(uri);
    expect(reader.all('gap')).toEqual([]);
    expect(reader.timesTold('note://0')).toBe(0);
    // A reader that had heard the last word of the first life is told, too, or that it cannot be known.
    const last = await SseClient.open(second.url, { 'Last-Event-ID': first.lines.at(-1)?.cursor ?? '' });
    await eventually('the rest', () => last.timesTold('note://2') > 0 || last.all('gap').length > 0);
    for (const each of [reader, last]) each.close();
  });
}

describe('a tracker that is started again', () => {
  whereverItIs((folder) => Promise.resolve(join(folder, 'data')));

  it('says that there is a gap when asked for what is gone', async () => {
    await using server = await ScriptedServer.create({ resources: notes });
    await using t = await tracked([server.entry('s')]);
    await t.isLive('s');
    for (const headers of [{ 'Last-Event-ID': 'from-another-life-7' }, { 'Last-Event-ID': '%00' }]) {
      const reader = await SseClient.open(t.url, headers);
      await eventually('a gap', () => reader.all('gap').length === 1);
      expect(reader.frames.map(({ data }) => data.type)).toEqual(['handshake', 'gap']);
      // A reader that comes back with the cursor of the gap goes on from there.
      expect(reader.frames[0]?.id).toBeUndefined();
      expect(reader.lastId).toBe(t.tracker.journal.cursor);
      reader.close();
    }
  });

  it('remembers the era and when it was seen', async () => {
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
