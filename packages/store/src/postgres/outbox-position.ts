// A place in the feed of a PostgreSQL outbox, and the cursor it is written as.

export interface OutboxPosition {
  /** Which transactions had committed. */
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
