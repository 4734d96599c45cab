// Bundles the command line: Node needs about a millisecond for each module that it loads, and the hub has a thousand.
// Left out are packages with native parts or files of their own; those are the hub's dependencies.
import { readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { isBundleNewest } from '../packages/hub/bin/entry.js';

const folder = 'packages/hub';
const output = `${folder}/dist/command`;
/** @type {{ dependencies: Record<string, string> }} */
const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));

if (!isBundleNewest()) await bundle();

async function bundle() {
  const built = await rolldown({
    input: `${folder}/dist/main.js`,
    platform: 'node',
    // `pg` asks for it only if told to.
    external: [...Object.keys(dependencies), 'pg-native'],
  });
  // Without hashes in their names, so that a running hub still finds what it loads later.
  const names = { chunkFileNames: '[name].js' };
  const { output: chunks } = await built.write({ dir: output, format: 'esm', cleanDir: true, ...names });
  const modules = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  writeFileSync(`${output}/LICENSES.txt`, licensesOf(modules));
  // Newer than what it was made of, also where files have the time of the same tick.
  const now = new Date();
  utimesSync(`${output}/main.js`, now, now);
}

/**
 * The licenses of the packages that these modules are of.
 * @param {readonly string[]} modules
 */
function licensesOf(modules) {
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []));
  const texts = [...packages].sort().map((path) => {
    /** @type {{ name: string, version: string, license?: string }} */
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const file = readdirSync(path).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? '' : readFileSync(join(path, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}`;
  });
  return `The command contains these packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
