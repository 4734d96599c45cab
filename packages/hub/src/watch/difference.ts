// The difference between two reads of a resource.
import { isDeepStrictEqual } from 'node:util';
import { diffLines } from 'diff';
import { type JsonChange, jsonChanges } from '@tidings/client/json-changes';
import type { WatchedContent } from './watched-content.ts';

type Size = Pick<WatchedContent & { kind: 'bytes' }, 'bytes' | 'sha256'>;

export type Difference =
  | { kind: 'none' }
  | { kind: 'json'; changes: JsonChange[] }
  /** Removed lines begin with `-`, added lines with `+`. */
  | { kind: 'text'; lines: string[] }
  | { kind: 'bytes'; before: Size; after: Size }
  /** The content is of another kind than before, or too different to compare. */
  | { kind: 'replaced' }
  | { kind: 'appeared' }
  | { kind: 'vanished'; reason: string };

/** Texts that differ in more lines than this are reported as replaced: comparing them would take too long. */
const maxEditLength = 2000;

export function difference(before: WatchedContent, after: WatchedContent): Difference {
  if (isDeepStrictEqual(before, after)) return { kind: 'none' };
  if (after.kind === 'missing')
    return before.kind === 'missing' ? { kind: 'none' } : { kind: 'vanished', reason: after.reason };
  if (before.kind === 'missing') return { kind: 'appeared' };
  if (before.kind === 'json' && after.kind === 'json') {
    const { changes } = jsonChanges(before.value, after.value, Number.POSITIVE_INFINITY);
    return { kind: 'json', changes };
  }
  if (before.kind === 'text' && after.kind === 'text') return textDifference(before.text, after.text);
  if (before.kind === 'bytes' && after.kind === 'bytes') {
    return { kind: 'bytes', before: sizeOf(before), after: sizeOf(after) };
  }
  return { kind: 'replaced' };
}

function textDifference(before: string, after: string): Difference {
  const parts = diffLines(before, after, { maxEditLength });
  if (!parts) return { kind: 'replaced' };
  const lines = parts.flatMap(({ value, added, removed }) => {
    const sign = added ? '+' : removed ? '-' : undefined;
    return sign
      ? value
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `${sign}${line}`)
      : [];
  });
  return { kind: 'text', lines };
}

function sizeOf({ bytes, sha256 }: Size): Size {
  return { bytes, sha256 };
}
