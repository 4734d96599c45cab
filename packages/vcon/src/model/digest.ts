// Digests that show whether a document is stored already.
import { sortedJson } from '@tidings/live/portable';
import { hash } from 'node:crypto';
import type { JsonObject } from './json.ts';

/** Equal for documents that differ only in the order of their fields. */
export function contentDigest(document: JsonObject): string {
  return hash('sha256', sortedJson(document), 'base64url');
}

const ofText = 'text:';

/** The digest of a document's text. It takes a fraction of the time, since no fields are sorted. */
export function textDigest(text: string): string {
  return `${ofText}${hash('sha256', text, 'base64url')}`;
}

export function isTextDigest(digest: string): boolean {
  return digest.startsWith(ofText);
}
