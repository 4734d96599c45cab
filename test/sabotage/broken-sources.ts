// Breaks the sources of a package in one place at a time and sees that the test of the promise fails. All
// copies are tried in one run of Vitest beside this one, each as a project in which the package is the copy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
    const projects = sabotages.map((sabotage) => projectOf(sabotage));
    const titles = new Set(sabotages.map(({ title }) => title.replaceAll(/[^\w ]/g, '.')));
    const config = { test: { projects, testNamePattern: `(${[...titles].join('|')})$`, maxWorkers: 2, retry: 0 } };
    const [file, report] = [`${build}/vitest.config.mjs`, `${build}/report.json`];
    writeFileSync(file, `export default ${JSON.stringify(config)};\n`);
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

  /** A copy with this one change; fails if there is nothing to change any more. */
  function projectOf({ name, file, find, replace, test }: SourceSabotage) {
    const copy = `${build}/${copyOf(name)}`;
    mkdirSync(copy, { recursive: true });
    for (const part of [`${folder}/src`, ...tests]) cpSync(`${root}/${part}`, `${copy}/${part}`, { recursive: true });
    const path = `${copy}/${folder}/src/${file}`;
    const source = readFileSync(path, 'utf8');
    if (source.split(find).length !== 2) throw new Error(`${file} has not exactly one place with: ${find}`);
    writeFileSync(
      path,
      source.replace(find, () => replace),
    );
    return {
      root: copy,
      ...(alias !== undefined && { resolve: { alias: { [alias]: `${copy}/${folder}/src/index.ts` } } }),
      test: { name, include: [`${copy}/${test}`], testTimeout: 30_000, hookTimeout: 60_000 },
    };
  }
}

function copyOf(name: string): string {
  return name.replaceAll(/\W+/g, '-');
}
