// Pages of a list that is at hand as a whole. The cursor says after which item to go on, and where that
// stood, should it be gone by then.
import { LiveError, type Page } from '@tidings/live';
import { z } from 'zod';

const pageSize = 1000;
const cursorSchema = z.tuple([z.string(), z.int().nonnegative()]);

export function pageOf<T>(items: readonly T[], nameOf: (item: T) => string, cursor: string | undefined): Page<T> {
  const start = cursor === undefined ? 0 : placeAfter(items, nameOf, cursor);
  const page = items.slice(start, start + pageSize);
  const last = page.at(-1);
  if (last === undefined || start + page.length >= items.length) return { items: page };
  const next = JSON.stringify([nameOf(last), start + page.length]);
  return { items: page, nextCursor: Buffer.from(next).toString('base64url') };
}

function placeAfter<T>(items: readonly T[], nameOf: (item: T) => string, cursor: string): number {
  const [last, place] = parseCursor(cursor);
  const there = items.findIndex((item) => nameOf(item) === last);
  // It is gone, and what followed it stands one place earlier.
  return there === -1 ? Math.max(0, place - 1) : there + 1;
}

function parseCursor(cursor: string): [string, number] {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new LiveError('INVALID_PARAMS', 'This cursor is none of ours: begin again without one.');
  }
}
