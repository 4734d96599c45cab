// Where a page of vCons ended: an opaque cursor, or a bare time.
import { LiveError } from '@tidings/live';
import { decodeCursor, encodeCursor } from '@tidings/live/internal';
import { z } from 'zod';
import { momentOf } from '../model/moment.ts';
import { asUuid } from '../model/uuid.ts';

/** The end of a page. Without a uuid: after all vCons of that instant. */
export interface ListPosition {
  created: number;
  uuid: string;
}

/** Sorts before every uuid, so that a bare time comes after all vCons of that instant. */
const beforeAll = '';

const cursorSchema = z.tuple([z.number(), z.string()]);

export function listCursor({ created, uuid }: ListPosition): string {
  return encodeCursor([created, uuid]);
}

export function listPositionOf(cursor: string): ListPosition {
  const created = momentOf(cursor);
  if (created !== undefined) return { created, uuid: beforeAll };
  const [moment, uuid = ''] = decodeCursor(cursor, cursorSchema) ?? [];
  const known = asUuid(uuid);
  if (moment === undefined || known === undefined) {
    const what = 'This is not a valid cursor: use the next_cursor of the previous page as it is, or a time such as';
    throw new LiveError('INVALID_PARAMS', `${what} 2025-10-14T09:30:00Z.`);
  }
  return { created: moment, uuid: known };
}
