// The event stream from a reader's side: replay, filters, heartbeats, and stalled readers.
import { request } from 'node:http';
import { eventually } from '@tidings/live/testing';
import type { Tracker, TrackerSettings } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { SseClient } from '../support/wire/sse-client.ts';
import { type Tracked, tracked } from './tracked.ts';

function withoutServers(settings: Partial<TrackerSettings> = {}): Promise<Tracked> {
  return tracked([], { settings });
}

function tell(tracker: Tracker, resourceUri: string, serverId = 's') {
  return tracker.journal.append({ type: 'resource_update', serverId, resourceUri });
}

describe('a reader', () => {
  it('without a cursor begins with the next event', async () => {
    await using t = await withoutServers();
    tell(t.tracker, 'a://1');
    const reader = await SseClient.open(t.url);
    expect(reader.handshake.cursor).toBe(t.tracker.journal.cursor);
    expect(reader.frames[0]?.id).toBe(t.tracker.journal.cursor);
    tell(t.tracker, 'a://2');
    await reader.told('a://2');
    expect(reader.updates).toEqual(['a://2']);
    reader.close();
  });

  it.each(['header', 'query', 'both'])('continues after its cursor, given by %s', async (how) => {
    await using t = await withoutServers();
    const old = tell(t.tracker, 'a://1').cursor;
    const { cursor } = tell(t.tracker, 'a://2');
    tell(t.tracker, 'a://3');
    tell(t.tracker, 'a://4');
    const query = how === 'query' ? `?after=${cursor}` : how === 'both' ? `?after=${old}` : '';
    const reader = await SseClient.open(t.url + query, how === 'query' ? {} : { 'Last-Event-ID': cursor });
    await reader.told('a://4');
    expect(reader.updates).toEqual(['a://3', 'a://4']);
    // The handshake carries the cursor too, so a reader that is disconnected right after it loses nothing.
    expect([reader.frames[0]?.id, reader.handshake.cursor]).toEqual([cursor, cursor]);
    reader.close();
  });

  it('that disconnects between handshake and gap gets the gap again', async () => {
    await using t = await withoutServers();
    tell(t.tracker, 'a://1');
    const reader = await SseClient.open(`${t.url}?after=dropped`);
    expect([reader.frames[0]?.id, reader.handshake.cursor]).toEqual([undefined, 'dropped']);
    await eventually('the gap', () => reader.all('gap').length === 1);
    reader.close();
  });

  it('gets events of one server, one resource or one URI prefix only, as requested', async () => {
    await using t = await withoutServers();
    const open = (query: string) => SseClient.open(`${t.url}?${query}`);
    const readers = {
      server: await open('server=one'),
      uri: await open(`uri=${encodeURIComponent('a://1?x=y&z')}`),
      prefix: await open('uri=a://*'),
      both: await open('server=two&uri=a://*'),
    };
    tell(t.tracker, 'a://1?x=y&z', 'one');
    tell(t.tracker, 'a://2', 'two');
    tell(t.tracker, 'b://3', 'two');
    tell(t.tracker, 'b://4', 'one');
    t.tracker.journal.append({ type: 'gap' });
    for (const reader of Object.values(readers)) await eventually('the gap', () => reader.all('gap').length === 1);
    expect(readers.server.updates).toEqual(['a://1?x=y&z', 'b://4']);
    expect(readers.uri.updates).toEqual(['a://1?x=y&z']);
    expect(readers.prefix.updates).toEqual(['a://1?x=y&z', 'a://2']);
    expect(readers.both.updates).toEqual(['a://2']);
    for (const reader of Object.values(readers)) reader.close();
  });

  it('gets heartbeats while there are no events', async () => {
    await using t = await withoutServers({ heartbeatMs: 20 });
    await eventually('two of them', () => t.events.comments.length >= 2);
    expect(t.events.comments[0]).toBe('heartbeat');
  });

  it('that disconnects is removed', async () => {
    await using t = await withoutServers();
    const reader = await SseClient.open(t.url);
    expect(t.tracker.events.readers).toBe(2);
    reader.close();
    await eventually('it to be forgotten', () => t.tracker.events.readers === 1);
  });

  it('with invalid parameters gets an error with the reason', async () => {
    await using t = await withoutServers({ maxReaders: 1 });
    const answer = (method: string) =>
      new Promise<{ status: number | undefined; body: string }>((resolve) => {
        request(t.url, { method }, (res) => {
          let body = '';
          res.on('data', (chunk: Buffer) => (body += chunk.toString()));
          res.on('end', () => resolve({ status: res.statusCode, body }));
        }).end();
      });
    expect(await answer('GET')).toMatchObject({ status: 429, body: expect.stringContaining('LIMIT_EXCEEDED') });
    expect(await answer('POST')).toMatchObject({ status: 400, body: expect.stringContaining('INVALID_PARAMS') });
  });
});

describe('a stalled reader', () => {
  const uris = Array.from({ length: 5 }, (_, n) => `a://${n}/${'x'.repeat(2000)}`);

  it('gets the latest event of each resource once it reads again', async () => {
    await using t = await withoutServers();
    const reader = await SseClient.open(t.url);
    reader.pause();
    for (let n = 0; n < 9000; n += 1) {
      tell(t.tracker, uris[n % 5] ?? '');
      if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const fence = tell(t.tracker, 'a://fence').cursor;
    await new Promise((resolve) => setImmediate(resolve));
    reader.resume();
    await reader.told('a://fence');
    expect(reader.all('gap')).toEqual([]);
    expect(reader.updates.length).toBeLessThan(9000);
    // The last event of each resource is the latest.
    expect(reader.frames.slice(-6).map(({ id }) => id)).toEqual(
      t.tracker.journal
        .read({ limit: 20_000 })
        .entries.slice(-6)
        .map(({ cursor }) => cursor),
    );
    expect(reader.lastId).toBe(fence);
    reader.close();
  });

  it('gets a gap if the journal has dropped events meanwhile', async () => {
    await using t = await withoutServers({ journal: { entries: 1000, bytes: 100_000_000 } });
    const reader = await SseClient.open(t.url);
    reader.pause();
    for (let n = 0; n < 9000; n += 1) {
      tell(t.tracker, uris[n % 5] ?? '');
      if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    reader.resume();
    await eventually('a gap', () => reader.all('gap').length === 1);
    tell(t.tracker, 'a://fence');
    await reader.told('a://fence');
    expect(reader.updates.length).toBeLessThan(9000);
    reader.close();
  });

  it('does not delay other readers', async () => {
    await using t = await withoutServers();
    const stalled = await SseClient.open(t.url);
    stalled.pause();
    for (let n = 0; n < 4000; n += 1) {
      tell(t.tracker, uris[n % 5] ?? '');
      if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    tell(t.tracker, 'a://fence');
    await t.events.told('a://fence');
    expect(t.events.updates).toHaveLength(4001);
    stalled.close();
  });
});

describe('a thousand readers', () => {
  it('all receive the event', async () => {
    await using t = await withoutServers();
    const readers: SseClient[] = [];
    // A hundred at a time: this process also has to accept them, and the system drops connections that wait too long.
    while (readers.length < 1000) {
      readers.push(...(await Promise.all(Array.from({ length: 100 }, () => SseClient.open(t.url)))));
    }
    tell(t.tracker, 'a://1');
    for (const reader of readers) await reader.told('a://1');
    for (const reader of readers) reader.close();
    await eventually('them to be gone', () => t.tracker.events.readers === 1);
  });
});
