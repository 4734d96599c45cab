// Opaque cursors: a value encoded as text, which clients send back unchanged. Cursors hold no secrets, and are
// validated when they come back.
import type { z } from 'zod';
import { toBase64 } from './base64.ts';

export function encodeCursor(value: unknown): string {
  return toBase64(new TextEncoder().encode(JSON.stringify(value)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** The encoded value; undefined if the cursor is malformed or `schema` refuses its value. */
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
