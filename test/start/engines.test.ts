// What `npm ci` installs runs on the oldest version of Node that this project supports, and `npm ci` prints no warnings.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';

const root = new URL('../../', import.meta.url);
const packageSchema = z.object({
  engines: z.object({ node: z.string().optional() }).optional(),
  hasInstallScript: z.boolean().optional(),
});
const lockfileSchema = z.object({ packages: z.record(z.string(), packageSchema) });
const workspaceSchema = z.object({ allowScripts: z.record(z.string(), z.boolean()) });

const { packages } = lockfileSchema.parse(jsonOf('package-lock.json'));

it('installs no package that needs a newer version of Node than 20', () => {
  const unsupported = Object.entries(packages).flatMap(([path, { engines }]) => {
    const [, oldest = '0'] = /^>=\s*(\d+)/.exec(engines?.node ?? '') ?? [];
    return Number(oldest) > 20 ? [`${path}: ${engines?.node}`] : [];
  });
  expect(unsupported).toEqual([]);
});

it('says of every package with an install script whether npm may run it', () => {
  const withScript = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)] : [],
  );
  expect(Object.keys(workspaceSchema.parse(jsonOf('package.json')).allowScripts)).toEqual(withScript);
});

function jsonOf(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, root), 'utf8'));
}
