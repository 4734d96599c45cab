import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { FakeResourceServer } from '../testing/fake-resource-server.ts';
import { Mirror } from './mirror.ts';
import { Snapshots } from './snapshots.ts';
import { Versions } from './versions.ts';

const uri = 'note://a';

class Setting {
  readonly clock = new FakeClock();
  readonly snapshots = new Snapshots(100_000);
  readonly served: (string | undefined)[] = [];
  contents: ReadResourceResult['contents'] = [{ uri, text: 'one' }];
  ttlMs = 0;
  isAway = false;
  fetches = 0;
  gate: Promise<void> | undefined;
  readonly server = new FakeResourceServer(this.clock, async () => {
    this.fetches += 1;
    const result = { contents: this.contents, ttlMs: this.ttlMs };
    await this.gate;
    if (this.isAway) throw new LiveError('UNAVAILABLE', 'The server is unavailable.', uri);
    if (this.contents.length === 0) throw new LiveError('RESOURCE_NOT_FOUND', 'No such resource.', uri);
    return result;
  });
  readonly mirror = new Mirror(
    {
      serverId: 's',
      snapshots: this.snapshots,
      versions: new Versions({ count: 20, bytes: 100_000 }),
      clock: this.clock,
      maxBytes: 1000,
      server: this.server,
      observer: { served: (_, hash) => void this.served.push(hash) },
      watcherContents: new Map(),
    },
    new Map(),
  );

  get record() {
    return this.mirror.get(uri) ?? this.mirror.follow(uri);
  }

  /** As the tracker does with followed resources of any size. */
  check() {
    return this.mirror.check(this.record.uri);
  }
}

describe('a read', () => {
  it('is answered from the mirror within ttlMs and under a live subscription', async () => {
    const s = new Setting();
    s.ttlMs = 1000;
    await s.mirror.read(uri);
    s.clock.advance(400);
    expect(await s.mirror.read(uri)).toMatchObject({ contents: [{ text: 'one' }], ttlMs: 600 });
    expect(s.fetches).toBe(1);
    s.clock.advance(600);
    await s.mirror.read(uri);
    expect(s.fetches).toBe(2);
  });

  it.each<[string, (s: Setting) => void]>([
    ['the server gives no ttlMs', (s) => (s.ttlMs = 0)],
    ['there is no subscription', (s) => (s.server.isSubscribing = false)],
    ['the server has said that it changed', (s) => s.mirror.invalidate(s.record)],
    ['the connection was lost', (s) => s.mirror.doubtAll()],
  ])('goes to the server when %s', async (_, happen) => {
    const s = new Setting();
    s.ttlMs = 1000;
    s.mirror.follow(uri);
    if (_ === 'the server gives no ttlMs') happen(s);
    await s.mirror.read(uri);
    happen(s);
    await s.mirror.read(uri);
    expect(s.fetches).toBe(2);
  });

  it('is one at a time per URI, and begins after its request', async () => {
    const s = new Setting();
    let open = () => {};
    s.gate = new Promise((resolve) => (open = resolve));
    const first = s.mirror.read(uri);
    s.contents = [{ uri, text: 'two' }];
    const others = [s.mirror.read(uri), s.mirror.read(uri), s.mirror.read(uri)];
    expect(s.fetches).toBe(1);
    open();
    expect((await first).contents[0]).toMatchObject({ text: 'one' });
    for (const other of await Promise.all(others)) expect(other.contents[0]).toMatchObject({ text: 'two' });
    expect(s.fetches).toBe(2);
  });

  it('that was under way during an invalidation is not kept', async () => {
    const s = new Setting();
    s.ttlMs = 1000;
    s.mirror.follow(uri);
    let open = () => {};
    s.gate = new Promise((resolve) => (open = resolve));
    const check = s.mirror.check(uri);
    s.mirror.invalidate(s.record);
    open();
    expect((await check).isCurrent).toBe(false);
    expect(s.mirror.snapshot(uri)).toBeUndefined();
    expect(s.record.seen).toBeUndefined();
  });

  it('reports the hash of every served read, also if it has none', async () => {
    const s = new Setting();
    s.mirror.follow(uri);
    await s.mirror.read(uri);
    s.contents = [];
    await expect(s.mirror.read(uri)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    s.isAway = true;
    await expect(s.mirror.read(uri)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(s.served).toEqual([expect.any(String), 'absent', undefined]);
  });
});

describe('the mirror', () => {
  it('reports the hash of a content, its changes and its removal', async () => {
    const s = new Setting();
    s.mirror.follow(uri);
    await s.mirror.check(uri);
    const { seen } = s.record;
    expect(seen).toEqual(expect.any(String));
    expect(s.mirror.hashed).toBe(1);
    s.mirror.invalidate(s.record);
    expect(s.record).toMatchObject({ seen: undefined, seenBefore: seen });
    expect(s.mirror.hashed).toBe(0);
    s.contents = [];
    await s.mirror.check(uri);
    expect(s.record.seen).toBe('absent');
    s.mirror.forget(s.record);
    expect(s.mirror.hashed).toBe(0);
  });

  it('ignores a read from before the resource was followed again', async () => {
    const s = new Setting();
    s.mirror.follow(uri);
    let open = () => {};
    s.gate = new Promise((resolve) => (open = resolve));
    const check = s.mirror.check(uri);
    s.mirror.forget(s.record);
    s.mirror.follow(uri);
    open();
    expect((await check).isCurrent).toBe(false);
  });

  it('ignores _meta, in which servers put the time', async () => {
    const s = new Setting();
    s.contents = [{ uri, text: 'one', _meta: { at: 1 } }];
    const { hash } = await s.mirror.check(uri);
    s.contents = [{ uri, text: 'one', _meta: { at: 2 } }];
    expect((await s.mirror.check(uri)).hash).toBe(hash);
  });

  it('summarises binary contents and omits large ones', async () => {
    const s = new Setting();
    s.contents = [{ uri, blob: 'AAAA', mimeType: 'image/png' }];
    await s.mirror.read(uri);
    expect(s.mirror.snapshot(uri)).toMatchObject({ result: undefined, mimeTypes: ['image/png'], bytes: 4 });
    s.contents = [{ uri, text: 'x'.repeat(1001) }];
    expect((await s.mirror.check(uri)).hash).toBeUndefined();
    expect(s.mirror.snapshot(uri)).toMatchObject({ result: undefined, bytes: 1001, hash: undefined });
  });

  it('stays within its size by dropping the least recently used contents', async () => {
    const s = new Setting();
    for (let n = 0; n < 100; n += 1) {
      s.contents = [{ uri: `note://${n}`, text: 'x'.repeat(900) }];
      await s.mirror.read(`note://${n}`);
      s.mirror.snapshot('note://0');
    }
    expect(s.snapshots.bytes).toBeLessThanOrEqual(100_000);
    expect(s.mirror.snapshot('note://0')).toBeDefined();
    expect(s.mirror.snapshot('note://1')).toBeUndefined();
  });
});

describe('a stored content', () => {
  const large = 'x'.repeat(60_000);

  it.each<[string, ReadResourceResult['contents']]>([
    ['`_meta`', [{ uri, text: '', _meta: { large } }]],
    ['a URI', [{ uri: `note://${large}`, text: '' }]],
    ['a type', [{ uri, mimeType: large, text: '' }]],
    ['a type of something binary', [{ uri, mimeType: large, blob: '' }]],
    ['empty objects', [{ uri, text: '', _meta: { large: Array.from({ length: 5000 }, () => ({})) } }]],
    ['many contents', Array.from({ length: 1000 }, () => ({ uri, text: '' }))],
  ])('counts with its %s', async (_what, contents) => {
    const s = new Setting();
    s.contents = contents;
    await s.check();
    // More than the size limit.
    expect([s.mirror.snapshot(uri), s.mirror.versions(uri)]).toEqual([undefined, []]);
    expect(s.snapshots.bytes).toBe(0);
  });

  it('counts with the requested URI', async () => {
    const s = new Setting();
    const long = (n: number) => `note://${n}${'x'.repeat(5000)}`;
    for (let n = 0; n < 20; n += 1) await s.mirror.read(long(n));
    expect(s.mirror.snapshot(long(0))).toBeUndefined();
    expect(s.mirror.snapshot(long(19))).toBeDefined();
    expect(s.snapshots.bytes).toBeLessThanOrEqual(100_000);
  });
});
