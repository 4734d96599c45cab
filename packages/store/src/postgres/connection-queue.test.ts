import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { ConnectionQueue } from './connection-queue.ts';

class Setting {
  readonly clock = new FakeClock();
  readonly queue = new ConnectionQueue(2, this.clock, () => new Error('stuck'));
  readonly inside: string[] = [];
  readonly refused: string[] = [];

  async enter(...names: string[]): Promise<void> {
    for (const name of names) {
      void this.queue.enter().then(
        () => this.inside.push(name),
        (error: unknown) => this.refused.push(`${name}: ${String(error)}`),
      );
    }
    await this.pass(0);
  }

  async leave(failure?: Error): Promise<void> {
    this.queue.leave(failure);
    await this.pass(0);
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('callers of a pool', () => {
  it('enter in order, as many as there are connections', async () => {
    const s = new Setting();
    await s.enter('a', 'b', 'c', 'd');
    expect(s.inside).toEqual(['a', 'b']);
    await s.leave();
    expect(s.inside).toEqual(['a', 'b', 'c']);
    await s.leave();
    await s.leave();
    await s.leave();
    await s.enter('e', 'f', 'g');
    expect(s.inside).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('wait as long as other callers finish', async () => {
    const s = new Setting();
    await s.enter('a', 'b', 'c', 'd', 'e', 'f');
    for (let n = 0; n < 4; n += 1) {
      await s.pass(4000);
      await s.leave();
    }
    expect(s.inside).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    await s.pass(60_000);
    expect(s.refused).toEqual([]);
  });

  it('are refused when no caller finishes, and others enter later', async () => {
    const s = new Setting();
    await s.enter('a', 'b', 'c', 'd');
    await s.pass(3000);
    await s.leave();
    await s.pass(4900);
    expect(s.refused).toEqual([]);
    await s.pass(200);
    expect(s.refused).toEqual(['d: Error: stuck']);
    await s.enter('e');
    await s.leave();
    expect(s.inside).toEqual(['a', 'b', 'c', 'e']);
    await s.pass(60_000);
    expect(s.refused).toEqual(['d: Error: stuck']);
  });
  it('do not count a failed connection as progress', async () => {
    const s = new Setting();
    await s.enter('a', 'b', 'c', 'd', 'e', 'f');
    await s.pass(4900);
    await s.leave(new Error('away'));
    await s.leave(new Error('away'));
    await s.pass(200);
    expect(s.inside).toEqual(['a', 'b', 'c', 'd']);
    expect(s.refused).toEqual(['e: Error: away', 'f: Error: away']);
  });
});
