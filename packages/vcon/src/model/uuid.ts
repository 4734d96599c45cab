// UUIDs as keys: read in any case, kept in lower case.
import { createHash, randomBytes } from 'node:crypto';

const pattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The UUID in lower case, of any version, or undefined if the text is not a UUID. */
export function asUuid(text: string): string | undefined {
  return pattern.test(text) ? text.toLowerCase() : undefined;
}

/** Version 8, as recommended for vCons: the time first, so that later uuids sort later, then random bits. */
export function newUuid(nowMs: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.floor(nowMs), 0, 6);
  randomBytes(10).copy(bytes, 6);
  return version8(bytes);
}

/** Returns the same UUID for the same text. */
export function derivedUuid(text: string): string {
  return version8(createHash('sha256').update(text).digest().subarray(0, 16));
}

function version8(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
