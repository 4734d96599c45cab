import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

describe('the pause before the next attempt', () => {
  it('doubles up to five seconds, and stays there', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 50, 5000].map((failures) => backoffMs(failures, () => 1));
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
  });

  it('varies by half', () => {
    expect(backoffMs(5, () => 0)).toBe(2500);
    expect(backoffMs(5, () => 0.5)).toBe(3750);
  });
});
