// A position in the feed of a SQLite outbox, and its cursor.

/** The number of a row, and its time, which tells it from the row of that number in a file that was restored. */
export interface OutboxPosition {
  seq: number;
  at: number;
}

export function cursorOf({ seq, at }: OutboxPosition): string {
  return `${seq}.${at}`;
}

export function parseCursor(cursor: string): OutboxPosition | undefined {
  const [, seq, at] = /^(\d+)\.(-?\d+)$/.exec(cursor) ?? [];
  return seq === undefined || at === undefined ? undefined : { seq: Number(seq), at: Number(at) };
}
