import { ProtocolError } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { emptyCatalog } from './catalog.ts';
import { CatalogKeeper } from './catalog-keeper.ts';
import { CatalogRefresh } from './catalog-refresh.ts';

class Setting {
  readonly clock = new FakeClock();
  readonly catalog = new CatalogKeeper(emptyCatalog, this.clock);
  readonly failures: number[] = [];
  arrived = 0;
  asked = 0;
  /** Answers the pending request, if it was not answered at once. */
  answer: () => void = () => undefined;
  mode: 'answers' | 'fails' | 'hangs' | 'unknown' = 'answers';
  readonly listing: CatalogRefresh;

  constructor() {
    const client = {
      request: async ({ method }: { method: string }) => {
        if (method !== 'resources/list' || this.mode === 'unknown') throw new ProtocolError(-32601, 'Method not found');
        this.asked += 1;
        if (this.mode === 'fails') throw new ProtocolError(-32603, 'The list is broken.');
        if (this.mode === 'hangs') await new Promise<void>((resolve) => (this.answer = resolve));
        return { resources: [{ uri: 'a://1', name: 'one' }] };
      },
    };
    this.listing = new CatalogRefresh({
      // Only one method of the client is used.
      client: Object.assign(Object.create(null), client),
      catalog: this.catalog,
      clock: this.clock,
      random: () => 1,
      arrived: () => void (this.arrived += 1),
      failed: (_, failures) => void this.failures.push(failures),
    });
  }

  async refresh(): Promise<string> {
    const refreshed = this.listing.refresh();
    const state = { isDone: false };
    void refreshed.finally(() => (state.isDone = true));
    for (let n = 0; n < 100 && !state.isDone; n += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (n > 10) this.clock.advance(500);
    }
    return refreshed;
  }
}

describe('a list', () => {
  it('that arrives becomes the catalog', async () => {
    const s = new Setting();
    expect(await s.refresh()).toBe('other');
    expect([...s.catalog.lastKnown.resources.keys()]).toEqual(['a://1']);
    expect(s.listing).toMatchObject({ problem: '', dueMs: undefined });
  });

  it('is empty, without a failure, if the server does not support it', async () => {
    const s = new Setting();
    s.mode = 'unknown';
    expect(await s.refresh()).toBe('other');
    expect(s.catalog.lastKnown.resources.size).toBe(0);
    expect(s.catalog.lastKnown.missing).toBe('');
    expect(s.failures).toEqual([]);
  });

  it('that is late is not waited for, and used when it arrives', async () => {
    const s = new Setting();
    s.mode = 'hangs';
    expect(await s.refresh()).toBe('late');
    expect(s.listing.problem).toContain('has not come');
    const before = s.clock.now();
    expect(await s.refresh()).toBe('late');
    expect([s.asked, s.clock.now()]).toEqual([1, before]);
    s.answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect(s.arrived).toBe(1);
    expect(await s.refresh()).toBe('other');
    expect(s.listing.problem).toBe('');
  });

  it('that fails is requested again with growing pauses', async () => {
    const s = new Setting();
    s.mode = 'fails';
    expect(await s.refresh()).toBe('failed');
    expect(await s.refresh()).toBe('failed');
    expect(s.asked).toBe(1);
    expect(s.listing.problem).toContain('The list is broken.');
    s.clock.advance(s.listing.dueMs ?? 0);
    expect(await s.refresh()).toBe('failed');
    expect(s.failures).toEqual([1, 2]);
    s.mode = 'answers';
    s.clock.advance(s.listing.dueMs ?? 0);
    expect(await s.refresh()).toBe('other');
    expect(s.listing.problem).toBe('');
  });
});
