import { ProtocolError } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import { FakeClock } from '@tidings/live/testing';
import { type Catalog, emptyCatalog } from '@tidings/track/internal';
import { describe, expect, it } from 'vitest';
import type { Untimed } from './event.ts';
import { Patterns } from './pattern.ts';
import { WatchedSet, type WatchedSetDeps } from './watched-set.ts';

type Answer = unknown;

/** A server as the tracker shows it: contents by URI; an error is thrown. */
class FakeUpstream {
  catalog: Catalog = emptyCatalog;
  readonly contents = new Map<string, Answer>();
  readonly released: string[] = [];
  readonly polled = new Set<string>();

  list(...uris: string[]): void {
    this.catalog = { ...emptyCatalog, resources: new Map(uris.map((uri) => [uri, { uri, name: uri }])) };
  }

  readonly watch: WatchedSetDeps['upstream']['watch'] = (uri) => ({
    ready: Promise.resolve(),
    end: () => void this.released.push(uri),
  });

  readonly coverage = (uri: string) => (this.polled.has(uri) ? 'polled' : 'subscribed');

  readonly read: WatchedSetDeps['upstream']['read'] = async (uri) => {
    const content = this.contents.get(uri);
    if (content instanceof Error) throw content;
    return { contents: [{ uri, text: JSON.stringify(content) }] };
  };
}

const notFound = Object.assign(new LiveError('RESOURCE_NOT_FOUND', 'No such resource.'), {
  cause: new ProtocolError(-32602, 'No such resource.'),
});
const unanswered = new LiveError('UNAVAILABLE', 'The server "server" is not available: it does not answer.');

function setup(...words: string[]) {
  const upstream = new FakeUpstream();
  const clock = new FakeClock();
  const events: Untimed[] = [];
  const updated: string[] = [];
  const watched = new WatchedSet({
    upstream,
    patterns: new Patterns(words),
    clock,
    report: (event) => void events.push(event),
    updated: (uri) => void updated.push(uri),
  });
  const announce = (uri: string) => watched.readUpdated(new Map([[uri, clock.date() + 1]]));
  return { upstream, clock, events, updated, watched, announce };
}

describe('the watched set', () => {
  it('reports the difference of a resource from the last read', async () => {
    const { upstream, events, watched, announce } = setup();
    upstream.list('a://1');
    upstream.contents.set('a://1', { n: 1 });
    await watched.follow();
    await watched.readNew();
    expect(watched.uris).toEqual(['a://1']);
    upstream.contents.set('a://1', { n: 2 });
    await announce('a://1');
    await announce('a://1');
    expect(events).toEqual([
      {
        type: 'updated',
        uri: 'a://1',
        change: { kind: 'json', changes: [{ path: 'n', op: 'changed', before: 1, after: 2 }] },
      },
      { type: 'updated', uri: 'a://1', change: { kind: 'none' } },
    ]);
  });

  it('does not report a change whose content the last read returned', async () => {
    const { upstream, clock, events, watched } = setup();
    upstream.list('a://1');
    upstream.contents.set('a://1', 1);
    const announcedAt = clock.date();
    await watched.follow();
    await watched.readNew();
    await watched.readUpdated(new Map([['a://1', announcedAt]]));
    expect(events).toEqual([]);
  });

  it('follows the list by its patterns, and releases removed resources', async () => {
    const { upstream, watched, announce, events } = setup('a://*');
    upstream.list('a://1', 'b://1');
    expect(await watched.follow()).toEqual({ added: [], removed: [] });
    upstream.list('a://2', 'b://2');
    expect(await watched.follow()).toEqual({ added: ['a://2'], removed: ['a://1'] });
    expect(upstream.released).toEqual(['a://1']);
    await announce('a://1');
    expect(events).toEqual([]);
    expect(watched.uris).toEqual(['a://2']);
  });

  it('names resources without notifications, and counts the readable ones', async () => {
    const { upstream, events, watched } = setup('a://1', 'a://gone');
    upstream.polled.add('a://1').add('a://gone');
    upstream.contents.set('a://1', 1).set('a://gone', notFound);
    await watched.follow();
    await watched.readNew();
    expect(events).toMatchObject([
      { type: 'problem', uri: 'a://1', problem: 'not_announced' },
      { type: 'problem', uri: 'a://gone', problem: 'not_announced' },
      { type: 'problem', uri: 'a://gone', problem: 'unreadable', reason: 'RESOURCE_NOT_FOUND: No such resource.' },
    ]);
    expect(watched.uris).toEqual(['a://1']);
  });

  it('distinguishes a removed resource from a server that does not answer', async () => {
    const { upstream, clock, events, updated, watched, announce } = setup('a://1');
    upstream.contents.set('a://1', 1);
    await watched.follow();
    await watched.readNew();
    upstream.contents.set('a://1', unanswered);
    await announce('a://1');
    expect(events).toEqual([]);
    clock.advance(1000);
    expect(updated).toEqual(['a://1']);
    await announce('a://1');
    expect(events).toMatchObject([{ type: 'problem', problem: 'unreadable' }]);
    upstream.contents.set('a://1', notFound);
    await announce('a://1');
    expect(events.at(-1)).toMatchObject({ type: 'updated', change: { kind: 'vanished' } });
  });

  it('reports changes of an outage once, although the tracker announces them too', async () => {
    const { upstream, events, watched, announce } = setup('a://1', 'a://2');
    upstream.contents.set('a://1', 1).set('a://2', 1);
    await watched.follow();
    await watched.readNew();
    upstream.contents.set('a://1', 2);
    await watched.compareAll();
    await announce('a://1');
    expect(events).toMatchObject([{ type: 'updated', uri: 'a://1', whileAway: true }]);
  });
});
