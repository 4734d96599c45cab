// The routes of the hub, found in its sources: Hono's as `get /api/servers`, compared paths as `/mcp`.
import { readFileSync, readdirSync } from 'node:fs';

export function routesInSources(): string[] {
  const folder = new URL('../../packages/hub/src/http/', import.meta.url);
  const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
  // Routes that are added in another way would not be found.
  const others = source.match(/\bapp\.(?:all|on|route|mount|basePath)\(|\bapp\.(?:get|post|put|patch|delete)\((?!')/g);
  if (others) throw new Error(`Write routes as app.get('/path', …), not as ${others.join(' ')}`);
  const calls = source.matchAll(/app\.(get|post|put|patch|delete)\('([^']+)'/g);
  const comparisons = source.matchAll(/pathname(?: === |\.startsWith\()'([^']+)'/g);
  return [
    ...Array.from(calls, ([, verb, path]) => `${verb} ${path}`),
    ...Array.from(comparisons, ([, path]) => String(path)),
  ];
}
