// Digests that show whether a document is stored already.
import { hash } from 'node:crypto';
import { canonical } from './canonical.ts';
import type { JsonObject } from './json.ts';

/** The same for the same content, whatever the order of its fields. */
export function contentDigest(document: JsonObject): string {
  return hash('sha256', canonical(document), 'base64url');
}

const ofText = 'text:';

/** Of a document's text, which takes a fraction of the time: sorting fields is most of it. */
export function textDigest(text: string): string {
  return `${ofText}${hash('sha256', text, 'base64url')}`;
}

export function isTextDigest(digest: string): boolean {
  return digest.startsWith(ofText);
}
