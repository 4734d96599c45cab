// How deep JSON may be nested: what is walked and stored here must not exhaust the stack, and SQLite reads
// no more than a thousand levels.
import type { Json } from './json.ts';

export const mostLevels = 500;

export function isDeeperThan(value: Json, levels: number): boolean {
  let layer: readonly Json[] = [value];
  for (let level = 0; level <= levels; level += 1) {
    layer = layer.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (layer.length === 0) return false;
  }
  return true;
}
