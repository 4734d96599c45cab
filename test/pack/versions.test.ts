// What servers and clients say their version is, is what is published.
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
  // Suites and fakes have servers of versions of their own.
  const isSource = (file: string) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith('testing/');
  return files.filter(isSource).map((file) => `${root}/${name}/src/${file}`);
}

it.each(packages)('packages/%s is of the same version as the others', (name) => {
  expect(versionOf(name)).toBe(versionOf('hub'));
});

// The kit says only those of others.
it.each(packages.filter((name) => name !== 'live'))('packages/%s says so wherever it says one', (name) => {
  const said = sourcesOf(name).flatMap((path) => readFileSync(path, 'utf8').match(/(?<=\bversion: ')\d[^']*/g) ?? []);
  expect(new Set([...said, versionOf(name)])).toEqual(new Set([versionOf(name)]));
});
