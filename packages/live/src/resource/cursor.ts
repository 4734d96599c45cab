// Opaque cursors: where a page ended. They carry no secret and are checked when they come back.
import { z } from 'zod';
import { LiveError } from '../error.ts';

const positionSchema = z.strictObject({
  /** Template of the route the page ended in. */
  t: z.string(),
  /** How many of its resources came before. */
  n: z.int().nonnegative(),
  /** The last one of them. */
  u: z.string(),
});

export type Position = z.infer<typeof positionSchema>;

export function encodeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

export function decodeCursor(cursor: string): Position {
  try {
    return positionSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw badCursor();
  }
}

export function badCursor(): LiveError {
  return new LiveError('INVALID_PARAMS', 'This cursor is not one of ours: leave it out to start from the first page.');
}
