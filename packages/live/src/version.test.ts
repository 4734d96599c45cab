import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { version } from './version.ts';

const packages = new URL('../../', import.meta.url);

it.each(readdirSync(packages))('%s has the common version', (name) => {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL(`${name}/package.json`, packages), 'utf8'));
  expect(manifest.version).toBe(version);
});
