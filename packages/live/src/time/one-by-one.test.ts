import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { oneByOne } from './one-by-one.ts';

async function passing(clock: FakeClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 20) {
    clock.advance(20);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('tasks one by one', () => {
  it('are spread evenly over the time, however many there are', async () => {
    for (const count of [4, 5000]) {
      const clock = new FakeClock();
      let ran = 0;
      let isOver = false;
      const tasks = Array.from({ length: count }, () => async () => void (ran += 1));
      void oneByOne(clock, 1000, tasks).then(() => (isOver = true));
      await passing(clock, 600);
      expect(ran / count).toBeGreaterThan(0.4);
      expect(ran / count).toBeLessThan(0.7);
      expect(isOver).toBe(false);
      await passing(clock, 600);
      expect([ran, isOver]).toEqual([count, true]);
    }
  });

  it('finish at once if there are none', async () => {
    await oneByOne(new FakeClock(), 1000, []);
  });

  it('all run, also after one that failed, whose error rejects at the end', async () => {
    const clock = new FakeClock();
    const ran: string[] = [];
    const rejects = async () => {
      ran.push('rejects');
      throw new Error('not ended');
    };
    const throws = () => {
      ran.push('throws');
      throw new Error('not begun');
    };
    const ending = oneByOne(clock, 100, [rejects, throws, () => ran.push('works')]);
    const ended = expect(ending).rejects.toThrow('not ended');
    await passing(clock, 200);
    await ended;
    expect(ran).toEqual(['rejects', 'throws', 'works']);
  });
});
