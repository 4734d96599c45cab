// Servers and clients report the published version.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('../../packages', import.meta.url));
const manifest = z.object({ version: z.string() });
const packages = readdirSync(root);

function versionOf(name: string): string {
  return manifest.parse(JSON.parse(readFileSync(`${root}/${name}/package.json`, 'utf8'))).version;
}

function sourcesOf(name: string): string[] {
  const files = readdirSync(`${root}/${name}/src`, { recursive: true, encoding: 'utf8' });
  // Suites and fakes define servers with versions of their own.
  const isSource = (file: string) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith('testing/');
  return files.filter(isSource).map((file) => `${root}/${name}/src/${file}`);
}

it.each(packages)('packages/%s has the same version as the others', (name) => {
  expect(versionOf(name)).toBe(versionOf('hub'));
});

// The version strings in the kit belong to other servers.
it.each(packages.filter((name) => name !== 'live'))('packages/%s reports its own version everywhere', (name) => {
  const said = sourcesOf(name).flatMap((path) => readFileSync(path, 'utf8').match(/(?<=\bversion: ')\d[^']*/g) ?? []);
  expect(new Set([...said, versionOf(name)])).toEqual(new Set([versionOf(name)]));
});
