import { describe, expect, it } from 'vitest';
import { shortened, startOf } from './shortened.ts';

describe('a text', () => {
  it.each(['', 'abc', 'ab😀'])('that is not too long is unchanged: %j', (text) => {
    expect(shortened(text, 4)).toBe(text);
  });

  it('that is too long is cut, and ends in an ellipsis', () => {
    expect(shortened('abcde', 4)).toBe('abcd…');
  });

  it('is not cut inside a surrogate pair', () => {
    expect(shortened('abc😀', 4)).toBe('abc…');
    expect(shortened('ab😀d', 4)).toBe('ab😀…');
    expect(shortened('😀😀', 1)).toBe('…');
    expect(startOf('abc😀', 4)).toBe('abc');
  });

  it('has a beginning', () => {
    expect(startOf('abcde', 4)).toBe('abcd');
    expect(startOf('ab😀', 4)).toBe('ab😀');
  });
});
