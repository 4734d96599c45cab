import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { FollowUpReads } from './follow-up-reads.ts';

class Setting {
  readonly clock = new FakeClock();
  /** When it was read. */
  readonly reads: number[] = [];
  readonly later = new FollowUpReads(async () => {
    this.reads.push(this.clock.now());
  }, this.clock);

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 100) {
      this.clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

describe('a resource whose reads may lag', () => {
  it('is read three times, with growing pauses', async () => {
    const s = new Setting();
    s.later.request('a://1');
    await s.pass(60_000);
    expect(s.reads).toEqual([500, 2500, 7500]);
  });

  it('is read again after a notification, and not restarted by repeated requests', async () => {
    const s = new Setting();
    s.later.request('a://1');
    await s.pass(1000);
    s.later.notified('a://1');
    s.later.request('a://1');
    await s.pass(60_000);
    expect(s.reads).toEqual([500, 2500, 7500, 8000, 10_000, 15_000]);
  });

  it('is not read again once forgotten', async () => {
    const s = new Setting();
    s.later.request('a://1');
    s.later.forget('a://1');
    await s.pass(60_000);
    expect(s.reads).toEqual([]);
  });
});
