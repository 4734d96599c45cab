// Bundles the command line: Node needs about a millisecond for each module that it loads, and the hub has a thousand.
// Packages with native parts or their own data files are left out; they are the hub's dependencies.
import { existsSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { isBundleNewest } from '../packages/hub/bin/entry.js';
import { lineMap } from './line-map.js';

const folder = 'packages/hub';
const output = `${folder}/dist/command`;
/** @type {{ dependencies: Record<string, string> }} */
const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));

if (!isBundleNewest()) await bundle();

async function bundle() {
  const built = await rolldown({
    // `run` alone is for programs that run several commands, as tests do.
    input: { main: `${folder}/dist/main.js`, run: `${folder}/dist/cli/run.js` },
    platform: 'node',
    // `pg` loads `pg-native` only on request.
    external: [...Object.keys(dependencies), 'pg-native'],
    plugins: [{ name: 'maps-of-our-modules', load: withMap }],
  });
  // Without hashes in their names, so that a running hub still finds chunks that it loads later.
  const names = { chunkFileNames: '[name].js' };
  const written = await built.write({ dir: output, format: 'esm', cleanDir: true, sourcemap: true, ...names });
  const chunks = written.output;
  const modules = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  for (const chunk of chunks) {
    if (chunk.type === 'chunk' && chunk.map) writeFileSync(`${output}/${chunk.fileName}.map`, lineMap(chunk.map));
  }
  writeFileSync(`${output}/LICENSES.txt`, licensesOf(modules));
  // Newer than its inputs, also if files have the time of the same tick.
  const now = new Date();
  utimesSync(`${output}/main.js`, now, now);
}

/**
 * A module with the compiler's source map, so that the map of the bundle leads to the sources.
 * @param {string} id
 */
function withMap(id) {
  const map = `${id}.map`;
  if (id.includes('/node_modules/') || !existsSync(map)) return null;
  return { code: readFileSync(id, 'utf8'), map: readFileSync(map, 'utf8') };
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
