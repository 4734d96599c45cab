// The changes between two JSON values, by path, for the page and for `tidings watch`. Only different parts are compared,
// so values of megabytes are possible.
import { isObject } from '@tidings/live/portable';
import { diffArrays } from 'diff';

/** Lists with more differences, or that take longer to compare, are compared by position. */
const maxEditLength = 500;
const usualPatienceMs = 500;

/** One difference between two JSON values. */
export interface JsonChange {
  /** Such as `rows[3].name`; empty for the value itself. A removed item has its old index. */
  path: string;
  op: 'added' | 'removed' | 'changed';
  /** Missing if the member was added. */
  before?: unknown;
  /** Missing if the member was removed. */
  after?: unknown;
}

/** Deeper values, and those that take longer, are shown as changed as a whole: a server may send anything. */
const mostLevels = 100;
const mostSteps = 5_000_000;

/**
 * The first changes, up to `most`, and whether there are more.
 *
 * @example
 * const { changes } = jsonChanges({ a: 1 }, { a: 2 }, 100);
 */
export function jsonChanges(
  before: unknown,
  after: unknown,
  most: number,
  patienceMs = usualPatienceMs,
): { changes: JsonChange[]; hasMore: boolean } {
  // One more than the limit shows that there are more.
  const comparison = new Comparison(most + 1, patienceMs);
  comparison.compare(before, after, '', 0);
  const { changes } = comparison;
  return { changes: changes.slice(0, most), hasMore: changes.length > most };
}

class Comparison {
  readonly changes: JsonChange[] = [];
  readonly #most: number;
  readonly #patienceMs: number;
  #steps = 0;

  constructor(most: number, patienceMs: number) {
    this.#most = most;
    this.#patienceMs = patienceMs;
  }

  compare(before: unknown, after: unknown, path: string, level: number): void {
    if (this.#isFull || before === after) return;
    const mayGoOn = level < mostLevels && this.#step();
    if (mayGoOn && Array.isArray(before) && Array.isArray(after)) return this.#lists(before, after, path, level);
    if (mayGoOn && isObject(before) && isObject(after)) return this.#objects(before, after, path, level);
    this.changes.push({ path, op: 'changed', before, after });
  }

  get #isFull(): boolean {
    return this.changes.length >= this.#most;
  }

  #step(): boolean {
    this.#steps += 1;
    return this.#steps <= mostSteps;
  }

  #objects(
    before: Readonly<Record<string, unknown>>,
    after: Readonly<Record<string, unknown>>,
    path: string,
    level: number,
  ): void {
    for (const key of Object.keys(before)) {
      const at = memberPath(path, key);
      if (Object.hasOwn(after, key)) this.compare(before[key], after[key], at, level + 1);
      else this.changes.push({ path: at, op: 'removed', before: before[key] });
      if (this.#isFull) return;
    }
    for (const key of Object.keys(after)) {
      if (Object.hasOwn(before, key)) continue;
      this.changes.push({ path: memberPath(path, key), op: 'added', after: after[key] });
      if (this.#isFull) return;
    }
  }

  /** By content: an inserted or removed item does not change all items after it. */
  #lists(before: readonly unknown[], after: readonly unknown[], path: string, level: number): void {
    const isSame = (one: unknown, other: unknown) => this.#isSame(one, other, level);
    // Skips the equal items at both ends.
    const shorter = Math.min(before.length, after.length);
    let [start, end] = [0, 0];
    while (start < shorter && isSame(before[start], after[start])) start += 1;
    while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1;
    const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
    const tooDifferent = [
      { value: old, removed: true, added: false },
      { value: fresh, removed: false, added: true },
    ];
    const limits = { maxEditLength, timeout: this.#patienceMs };
    const parts = diffArrays(old, fresh, { comparator: isSame, ...limits }) ?? tooDifferent;
    let [oldAt, freshAt] = [start, start];
    for (const [index, { value, removed, added }] of parts.entries()) {
      const [previous, next] = [parts[index - 1], parts[index + 1]];
      // Items removed and added at the same position count as changed.
      const replacing = removed && next?.added ? next.value : [];
      const told = added && previous?.removed ? previous.value.length : 0;
      for (const [offset, item] of value.entries()) {
        if (this.#isFull) return;
        const at = `${path}[${freshAt + offset}]`;
        const oldPath = `${path}[${oldAt + offset}]`;
        if (removed && offset < replacing.length) this.compare(item, replacing[offset], at, level + 1);
        else if (removed) this.changes.push({ path: oldPath, op: 'removed', before: item });
        else if (added && offset >= told) this.changes.push({ path: at, op: 'added', after: item });
      }
      if (!added) oldAt += value.length;
      if (!removed) freshAt += value.length;
    }
  }

  #isSame(before: unknown, after: unknown, level: number): boolean {
    if (before === after) return true;
    if (level >= mostLevels || !this.#step()) return false;
    if (Array.isArray(before) && Array.isArray(after)) {
      return (
        before.length === after.length && before.every((item, index) => this.#isSame(item, after[index], level + 1))
      );
    }
    if (!isObject(before) || !isObject(after)) return false;
    const keys = Object.keys(before);
    return (
      keys.length === Object.keys(after).length &&
      keys.every((key) => Object.hasOwn(after, key) && this.#isSame(before[key], after[key], level + 1))
    );
  }
}

function memberPath(path: string, key: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
