import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from './opaque-cursor.ts';

const schema = z.tuple([z.string(), z.int()]);

describe('an opaque cursor', () => {
  it('decodes to the encoded value', () => {
    expect(decodeCursor(encodeCursor(['ünï/code?', 7]), schema)).toEqual(['ünï/code?', 7]);
  });

  it('needs no encoding in a URL', () => {
    expect(encodeCursor(['???>>>~~~', 1])).toMatch(/^[\w-]+$/);
  });

  it.each(['', 'x', '%', encodeCursor('text'), encodeCursor(['a', 0.5]), encodeCursor(null)])(
    'decodes to undefined if it is invalid: %j',
    (cursor) => {
      expect(decodeCursor(cursor, schema)).toBeUndefined();
    },
  );
});
