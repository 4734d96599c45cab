// The routes of the hub, found in its sources: those of Hono as `get /api/servers`, paths that are compared as `/mcp`.
import { readFileSync, readdirSync } from 'node:fs';

export function routesInSources(): string[] {
  const folder = new URL('../../packages/hub/src/http/', import.meta.url);
  const source = readdirSync(folder)
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
  const calls = source.matchAll(/app\.(get|post|put|patch|delete)\('([^']+)'/g);
  const comparisons = source.matchAll(/pathname(?: === |\.startsWith\()'([^']+)'/g);
  return [
    ...Array.from(calls, ([, verb, path]) => `${verb} ${path}`),
    ...Array.from(comparisons, ([, path]) => String(path)),
  ];
}
