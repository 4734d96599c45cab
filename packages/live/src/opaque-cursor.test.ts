import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from './opaque-cursor.ts';

const schema = z.tuple([z.string(), z.int()]);

describe('an opaque cursor', () => {
  it('brings back what it was made from', () => {
    expect(decodeCursor(encodeCursor(['ünï/code?', 7]), schema)).toEqual(['ünï/code?', 7]);
  });

  it('can stand in a URL as it is', () => {
    expect(encodeCursor(['???>>>~~~', 1])).toMatch(/^[\w-]+$/);
  });

  it.each(['', 'x', '%', encodeCursor('text'), encodeCursor(['a', 0.5]), encodeCursor(null)])(
    'is undefined where it is none: %j',
    (cursor) => {
      expect(decodeCursor(cursor, schema)).toBeUndefined();
    },
  );
});
