// The content of a resource at its last read, in a form that can be compared.
import { parsedJson } from '@tidings/live/portable';
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { digestOf, isDeeperThan } from '@tidings/live/internal';

export type WatchedContent =
  | { kind: 'json'; value: unknown }
  | { kind: 'text'; text: string }
  | { kind: 'bytes'; bytes: number; sha256: string }
  | { kind: 'missing'; reason: string };

/** Of longer texts only the hash is kept, since all snapshots of a watch are in memory. */
const usualLength = 1024 * 1024;

/** Deeper values are compared as text: recursion could exhaust the stack. */
const maxDepth = 100;

export function watchedContent({ contents }: ReadResourceResult, longestText = usualLength): WatchedContent {
  const [first, ...others] = contents;
  if (!first) return { kind: 'text', text: '' };
  if (others.length > 0) return ofText(JSON.stringify(contents), longestText);
  return 'text' in first ? ofText(first.text, longestText) : ofBytes(Buffer.from(first.blob, 'base64'));
}

function ofText(text: string, longestText: number): WatchedContent {
  if (text.length > longestText) return ofBytes(Buffer.from(text));
  // Many servers do not say that their text is JSON.
  if (/^\s*[[{]/.test(text)) {
    const value = parsedJson(text);
    if (value !== undefined && !isDeeperThan(value, maxDepth)) return { kind: 'json', value };
  }
  return { kind: 'text', text };
}

function ofBytes(bytes: Buffer): WatchedContent {
  return { kind: 'bytes', bytes: bytes.length, sha256: digestOf(bytes, 'hex') };
}
