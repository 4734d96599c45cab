// The order of matches, and the position at which a page ended.
import { LiveError } from '@tidings/live';
import { decodeCursor, encodeCursor } from '@tidings/live/internal';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { VconEngine } from '../tables.ts';

export interface Order {
  readonly by: 'created_at' | 'subject';
  readonly direction: 'asc' | 'desc';
}

export const newestFirst: Order = { by: 'created_at', direction: 'desc' };

/** The next page begins after it. */
export interface After {
  /** The sort key, then the time of creation, then the uuid. */
  readonly key: string;
  readonly created: number;
  readonly uuid: string;
}

/** Subjects are compared by their first 120 characters, which fit into a cursor. */
export function orderKey({ by }: Order, engine: VconEngine): RawBuilder<string> {
  if (by === 'created_at') return sql`''`;
  // By code points, as in the other engine, regardless of the database's collation.
  return engine === 'sqlite' ? sql`substr(subject_key, 1, 120)` : sql`substr(subject_key, 1, 120) collate "C"`;
}

export function orderBy(order: Order, engine: VconEngine): RawBuilder<unknown> {
  const direction = sql.raw(order.direction);
  const time = sql`created ${direction}, uuid ${direction}`;
  return order.by === 'created_at' ? time : sql`${orderKey(order, engine)} ${direction}, ${time}`;
}

export function isAfter(order: Order, { key, created, uuid }: After, engine: VconEngine): RawBuilder<unknown> {
  const beyond = sql.raw(order.direction === 'asc' ? '>' : '<');
  if (order.by === 'created_at') return sql`(created, uuid) ${beyond} (${created}, ${uuid})`;
  return sql`(${orderKey(order, engine)}, created, uuid) ${beyond} (${key}, ${created}, ${uuid})`;
}

const cursorSchema = z.tuple([
  z.enum(['created_at', 'subject']),
  z.enum(['asc', 'desc']),
  z.string(),
  z.number(),
  z.string().regex(/^[0-9a-f-]{36}$/),
]);

export function searchCursor({ by, direction }: Order, { key, created, uuid }: After): string {
  return encodeCursor([by, direction, key, created, uuid]);
}

export function afterOf(cursor: string, order: Order): After {
  const position = decodeCursor(cursor, cursorSchema);
  if (position === undefined || position[0] !== order.by || position[1] !== order.direction) {
    const advice = 'use the next_cursor of the previous page as it is, with the same order_by and order';
    throw new LiveError('INVALID_PARAMS', `This cursor does not belong to this search: ${advice}.`);
  }
  const [, , key, created, uuid] = position;
  return { key, created, uuid };
}
