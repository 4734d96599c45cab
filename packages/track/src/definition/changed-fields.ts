// The paths of fields in a definition that have changed. Values are not repeated, because they are the server's text
// and may be aimed at a model; names in a path are reduced to plain characters.
import { isObject, shortened } from '@tidings/live/portable';

/** Deeper differences are reported for the field that contains them. */
const deepest = 5;
const mostPaths = 20;
const longestName = 60;

/** The only path of a new definition. */
export const newDefinition: readonly string[] = ['new'];

/** Both are JSON. The last path is `…` if there are more. */
export function changedFields(before: string, after: string): string[] {
  const paths: string[] = [];
  collect(JSON.parse(before), JSON.parse(after), [], paths);
  return paths.length > mostPaths ? [...paths.slice(0, mostPaths), '…'] : paths;
}

function collect(before: unknown, after: unknown, path: readonly string[], paths: string[]): void {
  if (paths.length > mostPaths || isSame(before, after)) return;
  if (path.length >= deepest || !isObject(before) || !isObject(after)) {
    paths.push(path.map(plainName).join('.') || 'text');
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    collect(member(before, key), member(after, key), [...path, key], paths);
  }
}

/** A key may have the name of a property that every object has. */
function member(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Keys are sorted on both sides. */
function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

function plainName(name: string): string {
  return shortened(name.replaceAll(/[^A-Za-z0-9_$-]/g, '?'), longestName);
}
