// Where a page of a list ended.
import { z } from 'zod';
import { LiveError } from '../error.ts';
import { decodeCursor } from '../opaque-cursor.ts';

const positionSchema = z.strictObject({
  /** Template of the route the page ended in. */
  t: z.string(),
  /** How many of its resources came before. */
  n: z.int().nonnegative(),
  /** The last one of them. */
  u: z.string(),
});

export type Position = z.infer<typeof positionSchema>;

export function decodePosition(cursor: string): Position {
  const position = decodeCursor(cursor, positionSchema);
  if (position === undefined) throw badCursor();
  return position;
}

export function badCursor(): LiveError {
  return new LiveError('INVALID_PARAMS', 'This cursor is not one of ours: leave it out to start from the first page.');
}
