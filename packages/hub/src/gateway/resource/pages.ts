// Pages of a list in memory. The cursor is the end of the previous page.
import { LiveError } from '@tidings/live';
import { type Page, decodeCursor, encodeCursor, pageEnd, pageEndSchema, indexAfter } from '@tidings/live/internal';

const pageSize = 1000;

export function pageOf<T>(items: readonly T[], nameOf: (item: T) => string, cursor: string | undefined): Page<T> {
  const start = cursor === undefined ? 0 : startAfter(items, nameOf, cursor);
  const page = items.slice(start, start + pageSize);
  const end = start + page.length;
  if (page.length === 0 || end >= items.length) return { items: page };
  return { items: page, nextCursor: encodeCursor(pageEnd(end, page.map(nameOf))) };
}

function startAfter<T>(items: readonly T[], nameOf: (item: T) => string, cursor: string): number {
  const end = decodeCursor(cursor, pageEndSchema);
  if (end === undefined) throw new LiveError('INVALID_PARAMS', `This cursor is not from this server: ${startAgain}`);
  const start = indexAfter(items, nameOf, end);
  if (start === undefined) {
    throw new LiveError('INVALID_PARAMS', `The list has changed too much since this cursor was made: ${startAgain}`);
  }
  return start;
}

const startAgain = 'leave it out to start from the first page.';
