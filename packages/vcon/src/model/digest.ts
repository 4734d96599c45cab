// Digests by which it is known whether a document is there already.
import { hash } from 'node:crypto';
import { canonical } from './canonical.ts';
import type { JsonObject } from './json.ts';

/** The same for the same content, in whatever order its fields were written. */
export function contentDigest(document: JsonObject): string {
  return hash('sha256', canonical(document), 'base64url');
}

const ofText = 'text:';

/** Of a document as it is written, which takes a fraction of the time: putting fields in order is most of it. */
export function textDigest(text: string): string {
  return `${ofText}${hash('sha256', text, 'base64url')}`;
}

export function isTextDigest(digest: string): boolean {
  return digest.startsWith(ofText);
}
