// Copies with one change. Without a change the value itself is returned: the rest of the model compares by identity.
import { isDeepStrictEqual } from 'node:util';

export function withFields<T extends object>(value: T, fields: Partial<T>): T {
  for (const name in fields) if (!isSame(value[name], fields[name])) return { ...value, ...fields };
  return value;
}

/** Equal maps are the same object, since they are compared when they are made. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (!(a instanceof Map) && isDeepStrictEqual(a, b));
}

export function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  if (isDeepStrictEqual(map.get(key), value)) return map;
  return new Map(map).set(key, value);
}

export function withoutEntry<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  if (!map.has(key)) return map;
  const next = new Map(map);
  next.delete(key);
  return next;
}

/** Keeps the position, so that lists keep their order. */
export function withRenamedEntry<V>(map: ReadonlyMap<string, V>, from: string, to: string): ReadonlyMap<string, V> {
  if (!map.has(from) || from === to) return map;
  return new Map([...map].filter(([key]) => key !== to).map(([key, value]) => [key === from ? to : key, value]));
}

/** Changes the items that match; returns the same array if none did. */
export function withChanged<T>(items: readonly T[], matches: (item: T) => boolean, change: (item: T) => T) {
  let isChanged = false;
  const next = items.map((item) => {
    const changed = matches(item) ? change(item) : item;
    isChanged ||= changed !== item;
    return changed;
  });
  return isChanged ? next : items;
}
