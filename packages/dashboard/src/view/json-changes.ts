// What changed between two JSON values, by path: also where they are megabytes, since only what differs is looked at.
import { diffArrays } from 'diff';

/** Lists that differ in more places, or take longer to compare, are compared by position. */
const maxEditLength = 500;
const patienceMs = 500;

export interface JsonChange {
  /** As in `rows[3].name`; `value` where all of it is another one. */
  path: string;
  /** Undefined where it was added or removed. */
  before: unknown;
  after: unknown;
  kind: 'added' | 'removed' | 'changed';
}

/** The first changes, up to `most`, and whether there are more. */
export function jsonChanges(
  before: unknown,
  after: unknown,
  most: number,
): { changes: readonly JsonChange[]; hasMore: boolean } {
  const changes: JsonChange[] = [];
  // One more than the limit shows that there are more.
  compare(before, after, '', changes, most + 1);
  return { changes: changes.slice(0, most), hasMore: changes.length > most };
}

function compare(before: unknown, after: unknown, path: string, changes: JsonChange[], most: number): void {
  if (changes.length >= most || before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path, changes, most);
  if (isObject(before) && isObject(after)) return compareObjects(before, after, path, changes, most);
  changes.push({ path: path || 'value', before, after, kind: 'changed' });
}

function compareObjects(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: string,
  changes: JsonChange[],
  most: number,
): void {
  for (const key of Object.keys(before)) {
    const at = memberPath(path, key);
    if (Object.hasOwn(after, key)) compare(before[key], after[key], at, changes, most);
    else changes.push({ path: at, before: before[key], after: undefined, kind: 'removed' });
    if (changes.length >= most) return;
  }
  for (const key of Object.keys(after)) {
    if (Object.hasOwn(before, key)) continue;
    changes.push({ path: memberPath(path, key), before: undefined, after: after[key], kind: 'added' });
    if (changes.length >= most) return;
  }
}

/** By content: items that were inserted or removed are not a change of all that follow. */
function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  changes: JsonChange[],
  most: number,
): void {
  // Most of a long list is the same, at its beginning and at its end.
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const tooDifferent = [
    { value: old, removed: true, added: false },
    { value: fresh, removed: false, added: true },
  ];
  const parts = diffArrays(old, fresh, { comparator: isSame, maxEditLength, timeout: patienceMs }) ?? tooDifferent;
  let [oldAt, freshAt] = [start, start];
  for (const [index, { value, removed, added }] of parts.entries()) {
    const [previous, next] = [parts[index - 1], parts[index + 1]];
    // What was removed and added at one place is a change.
    const replacing = removed && next?.added ? next.value : [];
    const told = added && previous?.removed ? previous.value.length : 0;
    for (const [offset, item] of value.entries()) {
      if (changes.length >= most) return;
      const at = `${path}[${freshAt + offset}]`;
      if (removed && offset < replacing.length) compare(item, replacing[offset], at, changes, most);
      else if (removed)
        changes.push({ path: `${path}[${oldAt + offset}]`, before: item, after: undefined, kind: 'removed' });
      else if (added && offset >= told) changes.push({ path: at, before: undefined, after: item, kind: 'added' });
    }
    if (!added) oldAt += value.length;
    if (!removed) freshAt += value.length;
  }
}

function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  const changes: JsonChange[] = [];
  compare(before, after, '', changes, 1);
  return changes.length === 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function memberPath(path: string, key: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
