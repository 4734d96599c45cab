import { FakeClock } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { GapLimit } from './gap-limit.ts';

describe('gaps', () => {
  it('are reported at once, and once more after the last', () => {
    const clock = new FakeClock();
    const told: number[] = [];
    const begin = clock.now();
    const limit = new GapLimit(clock, () => void told.push(clock.now() - begin));
    limit.report();
    clock.advance(600_000);
    expect(told).toEqual([0, 1000]);
    limit.report();
    expect(told).toHaveLength(3);
    limit.stop();
    expect(clock.waiting).toBe(0);
  });

  it('that never end are reported with growing pauses up to a maximum', () => {
    const clock = new FakeClock();
    let told = 0;
    const limit = new GapLimit(clock, () => void (told += 1));
    for (let second = 0; second < 3600; second += 1) {
      limit.report();
      clock.advance(1000);
    }
    expect(told).toBeLessThan(70);
    expect(told).toBeGreaterThan(55);
  });
});
