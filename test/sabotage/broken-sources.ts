// Breaks a package in one place at a time and sees that the test of the promise fails. All copies are tried in one run
// of Vitest beside this one, in which each copy of a test imports its copy of what was built, with the one file that is
// broken compiled again: Node loads hundreds of modules several times faster than Vite transforms them. Its workers are
// shared: a copy has modules of its own, and loading libraries takes longer than most of these tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'rolldown/utils';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

interface SourceSabotage {
  /** The package, so broken, … */
  name: string;
  /** File of its sources, and what is replaced in it. */
  file: string;
  find: string;
  replace: string;
  /** The test that must turn red: its file, from the root of the project, and its title. */
  test: string;
  title: string;
}

export interface BrokenSources {
  /** The folder of the package, from the root of the project. */
  folder: string;
  /** The name by which its tests import it, if they do. */
  alias?: string;
  /** Folders that its tests are in, and what they import. */
  tests: readonly string[];
  sabotages: readonly SourceSabotage[];
}

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const reportSchema = z.object({
  testResults: z.array(
    z.object({ name: z.string(), assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) }),
  ),
});

export function areCaught({ folder, alias, tests, sabotages }: BrokenSources): void {
  // Inside the project, so that imports resolve.
  const build = fileURLToPath(new URL(`.build/${folder.replaceAll('/', '-')}-${process.pid}`, import.meta.url));
  let results: z.infer<typeof reportSchema>['testResults'] = [];

  beforeAll(async () => {
    const include = await Promise.all(sabotages.map((sabotage) => brokenCopy(sabotage)));
    const titles = new Set(sabotages.map(({ title }) => title.replaceAll(/[^\w ]/g, '.')));
    const testNamePattern = `(${[...titles].join('|')})$`;
    // Most of these tests wait.
    const limits = { maxWorkers: 4, testTimeout: 30_000, hookTimeout: 60_000 };
    const test = { include, testNamePattern, isolate: false, ...limits };
    const [file, report] = [`${build}/vitest.config.mjs`, `${build}/report.json`];
    writeFileSync(file, configuration(test));
    const args = ['run', '--config', file, '--reporter=json', `--outputFile=${report}`];
    const vitest = spawn(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, ...args], {
      cwd: root,
      stdio: 'ignore',
      // Most of these tests wait for something that must not come.
      env: { ...process.env, TIDINGS_TEST_PATIENCE_MS: '2500', TIDINGS_TEST_ALL: '' },
    });
    await once(vitest, 'exit');
    results = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8'))).testResults;
  }, 600_000);

  afterAll(() => rmSync(build, { recursive: true, force: true, maxRetries: 5 }));

  for (const { name, title } of sabotages) {
    it(`one that ${name} is caught by "${title}"`, () => {
      const own = results.filter((each) => each.name.includes(`/${copyOf(name)}/`));
      const outcomes = own.flatMap(({ assertionResults }) => assertionResults).filter((each) => each.title === title);
      expect(outcomes, 'the test could not be run on the copy').not.toEqual([]);
      expect(outcomes.map(({ status }) => status)).toContain('failed');
    });
  }

  /** A copy with this one change; fails if there is nothing to change any more. Returns the file of its test. */
  async function brokenCopy({ name, file, find, replace, test }: SourceSabotage): Promise<string> {
    const copy = `${build}/${copyOf(name)}`;
    mkdirSync(copy, { recursive: true });
    for (const part of [`${folder}/src`, `${folder}/dist`, ...tests]) {
      cpSync(`${root}/${part}`, `${copy}/${part}`, { recursive: true, filter: isLoaded });
    }
    const source = readFileSync(`${root}/${folder}/src/${file}`, 'utf8');
    if (source.split(find).length !== 2) throw new Error(`${file} has not exactly one place with: ${find}`);
    const broken = source.replace(find, () => replace);
    const { code, errors } = await transform(file, broken, {
      target: 'node20',
      typescript: { rewriteImportExtensions: true },
    });
    if (errors.length > 0) throw new Error(`${name}: the broken ${file} cannot be compiled.`, { cause: errors });
    writeFileSync(`${copy}/${folder}/dist/${file.replace(/\.ts$/, '.js')}`, code);
    return `${copy}/${test}`;
  }

  /** A module: tests in a copy get what was built of the package from that copy, by its name or by a path. */
  function configuration(test: object): string {
    return `
import { dirname, resolve } from 'node:path';
const copies = ${JSON.stringify(`${build}/`)};
const plugin = {
  name: 'copies',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer?.startsWith(copies)) return undefined;
    const folder = copies + importer.slice(copies.length).split('/', 1)[0] + ${JSON.stringify(`/${folder}`)};
    const path = source === ${JSON.stringify(alias ?? null)} ? folder + '/src/index.ts' : resolve(dirname(importer), source);
    const [, module] = path.startsWith(folder + '/src/') ? /\\/src\\/(?!.*testing\\/)(.*)\\.ts$/.exec(path) ?? [] : [];
    return module === undefined ? undefined : folder + '/dist/' + module + '.js';
  },
};
const server = { deps: { external: [/\\/\\.build\\/.*\\/dist\\//] } };
export default { root: ${JSON.stringify(root)}, test: { ...${JSON.stringify(test)}, server }, plugins: [plugin] };
`;
  }
}

/** What is built besides modules takes longer to copy than the modules. */
function isLoaded(path: string): boolean {
  return !/\.(d\.ts|map|tsbuildinfo)$/.test(path);
}

function copyOf(name: string): string {
  return name.replaceAll(/\W+/g, '-');
}
