import { describe, expect, it } from 'vitest';
import { isDeeperThan, maxMessageLevels, tooDeep } from './nesting.ts';

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('nesting', () => {
  it('is counted in lists and objects', () => {
    expect(isDeeperThan('text', 0)).toBe(false);
    expect(isDeeperThan([], 0)).toBe(true);
    expect(isDeeperThan([1, { a: null }], 1)).toBe(true);
    expect(isDeeperThan([1, { a: null }], 2)).toBe(false);
    expect(isDeeperThan({ a: { b: {} }, c: 1 }, 2)).toBe(true);
  });

  it('of a hundred thousand levels is measured without exhausting the stack', () => {
    expect(isDeeperThan(nested(100_000), maxMessageLevels)).toBe(true);
    expect(isDeeperThan(nested(100_000), 100_000)).toBe(false);
  });

  it('refuses a message, unless its text is too short for that', () => {
    expect(tooDeep(nested(maxMessageLevels))).toBeUndefined();
    expect(tooDeep(nested(maxMessageLevels + 1))?.code).toBe('INVALID_PARAMS');
    expect(tooDeep(nested(maxMessageLevels + 1), 100)).toBeUndefined();
  });

  it('is found in a wide value at the last place', () => {
    expect(isDeeperThan([...Array.from({ length: 100_000 }, () => ({})), nested(50)], 20)).toBe(true);
  });
});
