// A position in the feed of a PostgreSQL outbox, and its cursor.

export interface OutboxPosition {
  /** The transactions that had committed by then. */
  snapshot: string;
  /** The highest number among their changes, and the transaction that had it. */
  seq: string;
  xid: string;
}

export function cursorOf({ snapshot, seq, xid }: OutboxPosition): string {
  return `${seq}.${xid}@${snapshot}`;
}

export function parseCursor(cursor: string): OutboxPosition | undefined {
  const [, seq, xid, snapshot] = /^(\d{1,19})\.(\d{1,19})@(\d{1,19}:\d{1,19}:[\d,]*)$/.exec(cursor) ?? [];
  if (seq === undefined || xid === undefined || snapshot === undefined) return undefined;
  return { seq, xid, snapshot };
}
