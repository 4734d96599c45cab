// The parts of the hub's own routes that only the dashboard uses.
import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { eventsSchema, serversSchema } from '../support/wire/strict-answers.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { runningHub } from './running-hub.ts';

describe('GET /api/servers', () => {
  it('shows the time of the next attempt for an unavailable server', async () => {
    await using upstream = await NotesUpstream.start('modern');
    const away = { id: 'away', url: 'http://127.0.0.1:1/mcp', headers: {}, enabled: true, trackResources: true };
    await using hub = await runningHub({ servers: [upstream.entry('notes'), away] });
    await hub.isLive('notes');
    await eventually('a retry to be waited for', async () => {
      const { servers } = serversSchema.parse(await hub.json('/api/servers'));
      const retryAt = servers.find(({ id }) => id === 'away')?.retryAt;
      expect(servers.find(({ id }) => id === 'notes')?.retryAt).toBeUndefined();
      return retryAt !== undefined && Date.parse(retryAt) > 0;
    });
  });
});

describe('GET /api/events?last=', () => {
  it('returns the newest events, and the cursor to continue from', async () => {
    await using upstream = await NotesUpstream.start('modern');
    for (const name of ['a', 'b', 'c']) upstream.put(name, 'first');
    await using hub = await runningHub({ servers: [upstream.entry('notes')] });
    await hub.isLive('notes');
    for (const name of ['a', 'b', 'c']) upstream.put(name, 'second');
    const { journal } = hub.hub.tracker;
    await eventually('all to be journaled', () => {
      return journal.read({ limit: 100 }).entries.filter(({ event }) => event.type === 'resource_update').length === 3;
    });
    const { events, cursor } = eventsSchema.parse(await hub.json('/api/events?last=2'));
    expect(events.map((event) => ('resourceUri' in event ? event.resourceUri : event.type))).toEqual([
      'note://b',
      'note://c',
    ]);
    expect(cursor).toBe(events.at(-1)?.cursor);
    expect(cursor).toBe(journal.cursor);
  });

  it('returns the events of a period', async () => {
    await using upstream = await NotesUpstream.start('modern');
    await using hub = await runningHub({ servers: [upstream.entry('notes')] });
    await hub.isLive('notes');
    const all = eventsSchema.parse(await hub.json('/api/events')).events;
    const [first] = all;
    if (first === undefined) throw new Error('No event.');
    const found = async (range: string) => eventsSchema.parse(await hub.json(`/api/events?${range}`)).events;
    expect(await found(`from=${first.timestamp}`)).toEqual(all);
    expect(await found(`last=100&from=${first.timestamp}`)).toEqual(all);
    expect(await found(`until=${first.timestamp}`)).toEqual([]);
    expect((await hub.get('/api/events?from=yesterday')).status).toBe(400);
  });

  it('refuses invalid queries', async () => {
    await using hub = await runningHub();
    expect((await hub.get('/api/events?last=0')).status).toBe(400);
    expect((await hub.get('/api/events?last=2&after=x')).status).toBe(400);
  });
});
