// Pages of a list that is in memory. The cursor holds the last item of the page before, and its place in case that
// item is gone by then.
import { LiveError, type Page } from '@tidings/live';
import { decodeCursor, encodeCursor } from '@tidings/live/internal';
import { z } from 'zod';

const pageSize = 1000;
const cursorSchema = z.tuple([z.string(), z.int().nonnegative()]);

export function pageOf<T>(items: readonly T[], nameOf: (item: T) => string, cursor: string | undefined): Page<T> {
  const start = cursor === undefined ? 0 : placeAfter(items, nameOf, cursor);
  const page = items.slice(start, start + pageSize);
  const last = page.at(-1);
  if (last === undefined || start + page.length >= items.length) return { items: page };
  return { items: page, nextCursor: encodeCursor([nameOf(last), start + page.length]) };
}

function placeAfter<T>(items: readonly T[], nameOf: (item: T) => string, cursor: string): number {
  const decoded = decodeCursor(cursor, cursorSchema);
  if (decoded === undefined) {
    throw new LiveError('INVALID_PARAMS', 'This cursor is none of ours: begin again without one.');
  }
  const [last, place] = decoded;
  const there = items.findIndex((item) => nameOf(item) === last);
  // It is gone, and what followed it stands one place earlier.
  return there === -1 ? Math.max(0, place - 1) : there + 1;
}
