// The imports between modules of the workspace: tests as TypeScript, packages as built.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { builtModule } from './built-module.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const manifestSchema = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), z.object({ default: z.string() })])).default({}),
});

/** Paths and names of packages of this project; also in a `new URL`. */
const named = /['"](\.{1,2}\/[^'"\n]+|@tidings\/[\w/-]+)['"]/g;

/** Entry files, by the name used in imports. */
const entries = new Map<string, string>();
/** Folders of packages by name, relative to the project's root. */
export const packages = new Map<string, string>();
for (const folder of [...readdirSync(`${root}/packages`).map((name) => `packages/${name}`), 'examples']) {
  const { name, exports } = manifestSchema.parse(JSON.parse(readFileSync(`${root}/${folder}/package.json`, 'utf8')));
  packages.set(name, folder);
  for (const [path, target] of Object.entries(exports)) {
    entries.set(join(name, path), join(root, folder, typeof target === 'string' ? target : target.default));
  }
}

const known = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const found = known.get(file) ?? readImports(file);
  known.set(file, found);
  return found;
}

function readImports(file: string): string[] {
  if (!/\.[jt]sx?$/.test(file)) return [];
  const names = [...readFileSync(file, 'utf8').matchAll(named)].map(([, name = '']) => name);
  return names.flatMap((name) => {
    const path = name.startsWith('.') ? resolve(dirname(file), name) : entries.get(name);
    return path !== undefined && existsSync(path) ? (builtModule(path) ?? path) : [];
  });
}

/** The modules on every import path from these to that one, both included. */
export function modulesBetween(from: readonly string[], to: string): Set<string> {
  const importers = new Map<string, string[]>(from.map((file) => [file, []]));
  for (const [file] of importers) {
    for (const imported of importsOf(file)) {
      const others = importers.get(imported);
      if (others) others.push(file);
      else importers.set(imported, [file]);
    }
  }
  const between = new Set(importers.has(to) ? [to] : []);
  for (const file of between) for (const importer of importers.get(file) ?? []) between.add(importer);
  return between;
}
