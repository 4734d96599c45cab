// Opaque cursors: a value as text that clients hand back as it is. They carry no secret, and are checked when they
// come back.
import type { z } from 'zod';

export function encodeCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The value; undefined where the cursor was not made from one that `schema` accepts. */
export function decodeCursor<Schema extends z.ZodType>(cursor: string, schema: Schema): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    return undefined;
  }
}
