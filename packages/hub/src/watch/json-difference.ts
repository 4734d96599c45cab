// Where two JSON values differ, path by path.
import { isDeepStrictEqual } from 'node:util';
import { diffArrays } from 'diff';

export interface PathChange {
  /** As in `schedules[0].label`; empty for the value itself. */
  path: string;
  op: 'added' | 'removed' | 'changed';
  before?: unknown;
  after?: unknown;
}

/** Arrays that differ in more places than this are reported as a whole. */
const maxEditLength = 500;

export function jsonDifference(before: unknown, after: unknown): PathChange[] {
  return [...between('', before, after)];
}

function* between(path: string, before: unknown, after: unknown): Generator<PathChange> {
  if (Array.isArray(before) && Array.isArray(after)) {
    yield* betweenArrays(path, before, after);
  } else if (isRecord(before) && isRecord(after)) {
    yield* betweenRecords(path, before, after);
  } else if (!isDeepStrictEqual(before, after)) {
    yield { path, op: 'changed', before, after };
  }
}

type Json = Record<string, unknown>;

function* betweenRecords(path: string, before: Json, after: Json): Generator<PathChange> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inner = memberPath(path, key);
    if (!Object.hasOwn(after, key)) yield { path: inner, op: 'removed', before: before[key] };
    else if (!Object.hasOwn(before, key)) yield { path: inner, op: 'added', after: after[key] };
    else yield* between(inner, before[key], after[key]);
  }
}

/** By content, not by position: an item inserted at the front does not change all others. */
function* betweenArrays(path: string, before: unknown[], after: unknown[]): Generator<PathChange> {
  const parts = diffArrays(before, after, { comparator: isDeepStrictEqual, maxEditLength });
  if (!parts) {
    yield { path, op: 'changed', before, after };
    return;
  }
  let position = 0;
  for (const [index, part] of parts.entries()) {
    const previous = parts[index - 1];
    const following = parts[index + 1];
    if (part.removed) {
      // A removal followed by an addition at the same place is a change.
      const taken = following?.added ? following.value : [];
      for (const [offset, old] of part.value.entries()) {
        const inner = `${path}[${position + offset}]`;
        if (offset < taken.length) yield* between(inner, old, taken[offset]);
        else yield { path: inner, op: 'removed', before: old };
      }
    } else {
      const told = part.added && previous?.removed ? previous.value.length : 0;
      for (const [offset, value] of part.value.entries()) {
        if (part.added && offset >= told) yield { path: `${path}[${position + offset}]`, op: 'added', after: value };
      }
      position += part.value.length;
    }
  }
}

function memberPath(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
