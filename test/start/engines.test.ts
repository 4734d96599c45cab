// What `npm ci` installs runs on the oldest version of Node that this project supports.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const root = new URL('../../', import.meta.url);
const lockfileSchema = z.object({
  packages: z.record(z.string(), z.object({ engines: z.object({ node: z.string().optional() }).optional() })),
});
/** mcp-proxy, which the benchmark compares with the gateway, imports it for tunnels. */
const newerOnly = new Set(['node_modules/pipenet']);

it('installs no package that needs a newer version of Node than 20', () => {
  const { packages } = lockfileSchema.parse(JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')));
  const unsupported = Object.entries(packages).flatMap(([path, { engines }]) => {
    const [, oldest = '0'] = /^>=\s*(\d+)/.exec(engines?.node ?? '') ?? [];
    return Number(oldest) > 20 && !newerOnly.has(path) ? [`${path}: ${engines?.node}`] : [];
  });
  expect(unsupported).toEqual([]);
});
