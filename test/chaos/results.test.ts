// Tests the limits: a result beyond one is reported, others are not.
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
  it('without slow or missing results meets all limits', () => {
    expect(missed([...many(95), ...many(5, { ms: 19_000 }), result({ fault: noFault })])).toEqual([]);
  });

  it.each([
    ['a subscriber that never recovers', [result({ ms: undefined })], /1 lost/],
    ['a subscriber that recovers after 20 s', [...many(99), result({ ms: 21_000 })], /1 stale/],
    ['10 % of recoveries above 5 s', [...many(90), ...many(10, { ms: 6000 })], /95 % right within 6.0 s/],
    ['21 % repeated notifications', many(10, { twice: 21 }), /notified twice 21.0 %/],
    ['2 % repeated notifications without faults', [result({ fault: noFault, twice: 2 })], /without faults 2.0 %/],
    [
      'a subscriber that never recovers in a round without faults',
      [result({ fault: noFault, ms: undefined })],
      /1 lost/,
    ],
  ])('reports %s', (_, results, words) => {
    expect(missed(results).join('; ')).toMatch(words);
  });

  it('has a table line for each fault and target, and one for all', () => {
    const lines = table([...many(2), result({ target: 'other', ms: undefined })]).split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ['fault', 'at', 'runs', 'worst'],
      ['kill -9', 'other', '1', 'never'],
      ['kill -9', 'raw', '2', '1.0 s'],
      ['all faults', '3', 'never', 'never'],
    ]);
  });
});
