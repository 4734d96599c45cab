import { describe, expect, it } from 'vitest';
import { parseFired, wasFired, withFired } from './fired.ts';

describe('the record of fired occurrences', () => {
  it('is one range while none is skipped', () => {
    let ranges = withFired([], 10, undefined);
    for (let n = 20; n <= 1000; n += 10) ranges = withFired(ranges, n, n - 10);
    expect(ranges).toEqual([[10, 1000]]);
    expect([5, 10, 500, 1000, 1010].map((each) => wasFired(ranges, each))).toEqual([false, true, true, true, false]);
  });

  it('distinguishes fired occurrences from skipped ones', () => {
    const ranges = withFired(withFired([], 10, 0), 50, 40);
    expect(ranges).toEqual([
      [10, 10],
      [50, 50],
    ]);
    expect(wasFired(ranges, 30)).toBe(false);
    // Firing again changes nothing.
    expect(withFired(ranges, 10, 0)).toBe(ranges);
    expect(withFired(ranges, 20, 10)).toEqual([
      [50, 50],
      [10, 20],
    ]);
  });

  it('has a limited size', () => {
    let ranges = withFired([], 0, undefined);
    for (let n = 1; n < 100; n += 1) ranges = withFired(ranges, n * 100, n * 100 - 1);
    expect(ranges).toHaveLength(16);
    expect(wasFired(ranges, 9900)).toBe(true);
    expect(parseFired(JSON.stringify(ranges))).toEqual(ranges);
    expect(parseFired(null)).toEqual([]);
  });
});
