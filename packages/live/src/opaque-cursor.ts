// Opaque cursors: a value as text that clients hand back as it is. They carry no secret, and are checked when they
// come back.
import type { z } from 'zod';
import { toBase64 } from './base64.ts';

export function encodeCursor(value: unknown): string {
  return toBase64(new TextEncoder().encode(JSON.stringify(value)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** The value; undefined if the cursor was not made from one that `schema` accepts. */
export function decodeCursor<Schema extends z.ZodType>(cursor: string, schema: Schema): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(new TextDecoder().decode(bytesOf(cursor))));
  } catch {
    return undefined;
  }
}

function bytesOf(base64url: string): Uint8Array {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
