import { FakeClock } from '@tidings/live/testing';
import { delay } from '@tidings/live/time';
import { describe, expect, it } from 'vitest';
import { SilentStreamReads } from './silent-stream-reads.ts';

class Setting {
  readonly clock = new FakeClock();
  readonly read: string[] = [];
  /** Reads that return another content. */
  readonly changed = new Set<string>();
  readonly ended: number[] = [];
  heardAt: number | undefined = this.clock.now();
  uris: ReadonlySet<string> = new Set(['a', 'b']);
  recent: readonly string[] = [];
  readMs = 0;
  readonly reads = new SilentStreamReads({
    clock: this.clock,
    silentMs: 10_000,
    uris: () => this.uris,
    recent: () => this.recent,
    verify: async (uri) => {
      this.read.push(uri);
      if (this.readMs > 0) await delay(this.clock, this.readMs);
      return this.changed.has(uri);
    },
  });

  constructor() {
    this.reads.begin({
      silentSince: () => this.heardAt,
      endSilentStreams: (since) => {
        if (this.heardAt !== undefined && this.heardAt < since) this.ended.push(this.clock.now());
      },
    });
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 500) {
      this.clock.advance(Math.min(left, 500));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  take(): string[] {
    return this.read.splice(0);
  }
}

describe('resources behind a silent stream', () => {
  it('are read each time it has been silent for the interval', async () => {
    const s = new Setting();
    await s.pass(9500);
    expect(s.take()).toEqual([]);
    await s.pass(500);
    expect(s.take()).toEqual(['a', 'b']);
    await s.pass(9500);
    expect(s.take()).toEqual([]);
    await s.pass(500);
    expect(s.take()).toEqual(['a', 'b']);
    expect(s.ended).toEqual([]);
  });

  it('are not read while messages or comments arrive', async () => {
    const s = new Setting();
    await s.pass(6000);
    s.heardAt = s.clock.now();
    await s.pass(9500);
    expect(s.take()).toEqual([]);
    await s.pass(500);
    expect(s.take()).toEqual(['a', 'b']);
    s.heardAt = undefined;
    await s.pass(60_000);
    expect(s.take()).toEqual([]);
  });

  it('cause it to be opened again if one has changed, unless a notification follows', async () => {
    const s = new Setting();
    // As long as `verify` waits for a notification.
    s.readMs = 500;
    s.changed.add('b');
    await s.pass(10_500);
    expect(s.ended).toHaveLength(1);
    s.heardAt = s.clock.now();
    s.changed.clear();
    s.changed.add('a');
    await s.pass(10_000);
    s.heardAt = s.clock.now();
    await s.pass(1000);
    expect(s.ended).toHaveLength(1);
  });

  it('are read ever less often if they differ each time', async () => {
    const s = new Setting();
    s.changed.add('a');
    const seen: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      await s.pass(10_500);
      seen.push(s.take().join(''));
    }
    expect(seen).toEqual(['ab', 'b', 'ab', 'b', 'b', 'b', 'ab', 'b']);
  });

  it('are read in turn if there are many', async () => {
    const s = new Setting();
    s.uris = new Set(Array.from({ length: 500 }, (_, n) => `${n}`));
    await s.pass(10_000);
    expect(s.take()).toHaveLength(200);
    await s.pass(20_000);
    expect(new Set(s.take()).size).toBe(400);
  });

  it('are read less often if reads are slow, except for the last changed ones', async () => {
    const s = new Setting();
    s.uris = new Set(Array.from({ length: 500 }, (_, n) => `${n}`));
    s.recent = ['499', '300'];
    s.readMs = 500;
    await s.pass(15_000);
    const read = s.take();
    expect(read.slice(0, 3)).toEqual(['499', '300', '0']);
    expect(read).toHaveLength(22);
  });

  it('are read in time again after reads that hang, whose late results count too', async () => {
    const s = new Setting();
    s.readMs = 30_000;
    s.changed.add('b');
    await s.pass(10_000);
    expect(s.take()).toEqual(['a', 'b']);
    await s.pass(14_000);
    expect(s.take()).toEqual(['a', 'b']);
    expect(s.ended).toEqual([]);
    await s.pass(16_500);
    expect(s.ended).toHaveLength(1);
  });

  it('are not read after the end', async () => {
    const s = new Setting();
    s.reads.end();
    await s.pass(60_000);
    expect(s.take()).toEqual([]);
  });
});
