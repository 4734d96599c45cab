// The cursor of a list of resources or templates: the route and the entry at which a page ended.
import { z } from 'zod';
import { LiveError } from '../base/error.ts';
import { decodeCursor } from '../base/opaque-cursor.ts';
import { pageEndSchema } from './page-end.ts';

const positionSchema = pageEndSchema.extend({
  /** The template of the route in which the page ended. */
  t: z.string(),
});

export type Position = z.infer<typeof positionSchema>;

export function decodePosition(cursor: string): Position {
  const position = decodeCursor(cursor, positionSchema);
  if (position === undefined) throw badCursor();
  return position;
}

export function badCursor(): LiveError {
  return new LiveError(
    'INVALID_PARAMS',
    'This cursor is not from this server: leave it out to start from the first page.',
  );
}

export function expiredCursor(): LiveError {
  return new LiveError(
    'INVALID_PARAMS',
    'The list has changed too much since this cursor was made: leave it out to start from the first page.',
  );
}
