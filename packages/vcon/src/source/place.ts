// Where a page of vCons ended: a cursor that nobody else has to understand, or a bare time.
import { LiveError } from '@tidings/live';
import { momentOf } from '../model/moment.ts';
import { asUuid } from '../model/uuid.ts';

/** The next page begins after it. Without a uuid: after all of that instant. */
export interface Place {
  created: number;
  uuid: string;
}

/** Sorts before every uuid, so that a bare time stands after all that share it. */
const beforeAll = '';

export function cursorOf({ created, uuid }: Place): string {
  return Buffer.from(`${created}/${uuid}`).toString('base64url');
}

export function placeOf(cursor: string): Place {
  const created = momentOf(cursor);
  if (created !== undefined) return { created, uuid: beforeAll };
  const [, moment, uuid = ''] = /^(-?\d+(?:\.\d+)?(?:e\+?\d+)?)\/(.+)$/.exec(decoded(cursor)) ?? [];
  const known = asUuid(uuid);
  if (moment === undefined || known === undefined) {
    const what = 'This cursor is none: use the next_cursor of the previous page as it is, or a time such as';
    throw new LiveError('INVALID_PARAMS', `${what} 2025-10-14T09:30:00Z.`);
  }
  return { created: Number(moment), uuid: known };
}

function decoded(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString();
}
