// The hash of a content, by which two contents are compared.
import { createHash } from 'node:crypto';
import type { ReadResourceResult } from '@modelcontextprotocol/client';

type ReadContents = ReadResourceResult['contents'];

/** The hash of a resource that does not exist. */
export const absent = 'absent';

export function contentsSize(contents: ReadContents): number {
  return contents.reduce((size, each) => size + ('text' in each ? each.text.length : each.blob.length), 0);
}

/** The hash of the contents without `_meta`: some servers put the time of day there. */
export function fingerprint(contents: ReadContents): string {
  const hash = createHash('sha256');
  for (const each of contents) {
    const body = 'text' in each ? ['text', each.text] : ['blob', each.blob];
    hash.update(JSON.stringify([each.uri, each.mimeType ?? null, ...body]));
  }
  return hash.digest('base64url');
}
