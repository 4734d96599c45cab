// Digests that show whether a document is stored already.
import { digestOf } from '@tidings/live/internal';
import { sortedJson } from '@tidings/live/portable';
import type { JsonObject } from './json.ts';

/** Equal for documents that differ only in the order of their fields. */
export function contentDigest(document: JsonObject): string {
  return digestOf(sortedJson(document));
}

const ofText = 'text:';

/** The digest of a document's text. It takes a fraction of the time, since no fields are sorted. */
export function textDigest(text: string): string {
  return `${ofText}${digestOf(text)}`;
}

export function isTextDigest(digest: string): boolean {
  return digest.startsWith(ofText);
}
