import { expect, it } from 'vitest';
import { hasShare } from './fair-share.ts';

/** The number that each caller gets if all take as many as they can, one caller after the other. */
function taken(most: number, callers: number): number[] {
  const counts = Array.from({ length: callers }, () => 0);
  const all = () => counts.reduce((sum, count) => sum + count, 0);
  for (const [caller, _] of counts.entries()) {
    while (hasShare(most, { own: counts[caller] ?? 0, all: all() })) counts[caller] = (counts[caller] ?? 0) + 1;
  }
  return counts;
}

it('every caller gets a share, however many the others have taken', () => {
  expect(taken(32, 7)).toEqual([16, 8, 4, 2, 1, 1, 0]);
  expect(taken(1000, 3)).toEqual([500, 250, 125]);
  expect(taken(1, 2)).toEqual([1, 0]);
  expect(taken(0, 1)).toEqual([0]);
});
