import { describe, expect, it } from 'vitest';
import { Backoff, backoffMs } from './backoff.ts';

const options = { firstMs: 250, longestMs: 5000 };

describe('backoffMs', () => {
  it('doubles up to the longest pause, and stays there', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 50, 5000].map((failures) => backoffMs(failures, options));
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
  });

  it('grows without a limit if none is given', () => {
    expect([1, 2, 20].map((failures) => backoffMs(failures, { firstMs: 1 }))).toEqual([1, 2, 2 ** 19]);
  });

  it('grows by the given factor', () => {
    expect([1, 2, 3].map((failures) => backoffMs(failures, { ...options, growth: 3 }))).toEqual([250, 750, 2250]);
  });
});

describe('Backoff', () => {
  it('waits for half to all of the pause, and never less than the first one', () => {
    const [shortest, longest] = [new Backoff(options, () => 0), new Backoff(options, () => 1)];
    const pauses = Array.from({ length: 6 }, () => [shortest.next(), longest.next()]);
    expect(pauses).toEqual([
      [250, 250],
      [250, 500],
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
      [2500, 5000],
    ]);
  });

  it('counts failures, and starts again after a success', () => {
    const backoff = new Backoff(options, () => 1);
    backoff.next();
    backoff.next();
    expect(backoff.failures).toBe(2);
    backoff.reset();
    expect([backoff.failures, backoff.next()]).toEqual([0, 250]);
  });
});
