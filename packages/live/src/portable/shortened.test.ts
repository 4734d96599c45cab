import { describe, expect, it } from 'vitest';
import { shortened } from './shortened.ts';

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
  });
});
