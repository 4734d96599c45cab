// What changed between two JSON values, by path: also where they are megabytes, since only what differs is looked at.

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

/** What is the same at the beginning and at the end stays; between them, one that was inserted is not a change of all. */
function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  changes: JsonChange[],
  most: number,
): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const [old, fresh] = [before.length - end, after.length - end];
  for (let index = start; index < Math.max(old, fresh) && changes.length < most; index += 1) {
    const at = `${path}[${index}]`;
    if (index < old && index < fresh) compare(before[index], after[index], at, changes, most);
    else if (index < old) changes.push({ path: at, before: before[index], after: undefined, kind: 'removed' });
    else changes.push({ path: at, before: undefined, after: after[index], kind: 'added' });
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
