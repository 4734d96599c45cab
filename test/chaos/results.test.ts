// The bars themselves: what misses one is said, and what does not is not.
import { describe, expect, it } from 'vitest';
import { type Result, missed, noFault, table } from './results.ts';

const result = (change: Partial<Result> = {}): Result => ({
  fault: 'kill -9',
  target: 'raw',
  ms: 1000,
  due: 100,
  twice: 0,
  ...change,
});
const many = (count: number, change?: Partial<Result>) => Array.from({ length: count }, () => result(change));

describe('a run', () => {
  it('that is right in time misses nothing', () => {
    expect(missed([...many(95), ...many(5, { ms: 19_000 }), result({ fault: noFault })])).toEqual([]);
  });

  it.each([
    ['a subscriber that is never right', [result({ ms: undefined })], /1 lost/],
    ['one that is right after 20 s', [...many(99), result({ ms: 21_000 })], /1 stale/],
    ['one of ten that takes over 5 s', [...many(90), ...many(10, { ms: 6000 })], /95 % right within 6.0 s/],
    ['a fifth told twice', many(10, { twice: 21 }), /told twice 21.0 %/],
    ['a hundredth told twice without faults', [result({ fault: noFault, twice: 2 })], /without faults 2.0 %/],
    ['a subscriber that is wrong without a fault', [result({ fault: noFault, ms: undefined })], /1 lost/],
  ])('is failed by %s', (_, results, words) => {
    expect(missed(results).join('; ')).toMatch(words);
  });

  it('has a line for each fault and target, and one for all', () => {
    const lines = table([...many(2), result({ target: 'other', ms: undefined })]).split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ['fault', 'at', 'runs', 'worst'],
      ['kill -9', 'other', '1', 'never'],
      ['kill -9', 'raw', '2', '1.0 s'],
      ['all faults', '3', 'never', 'never'],
    ]);
  });
});
