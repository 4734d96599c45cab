// Breaks the tracker in one place at a time and sees that the test of the promise fails. All copies are
// tried in one run of Vitest beside this one, each as a project in which `@tidings/track` is the copy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type TrackerSabotage, trackerSabotages } from './tracker-sabotages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
// Inside the project, so that imports resolve.
const build = fileURLToPath(new URL(`.build/tracker-${process.pid}`, import.meta.url));

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

let results: z.infer<typeof reportSchema>['testResults'] = [];

beforeAll(async () => {
  const projects = trackerSabotages.map((sabotage, n) => projectOf(sabotage, n));
  const titles = trackerSabotages.map(({ title }) => title.replaceAll(/[^\w ]/g, '.'));
  const config = { test: { projects, testNamePattern: `(${titles.join('|')})$`, maxWorkers: 2, retry: 0 } };
  writeFileSync(`${build}/vitest.config.mjs`, `export default ${JSON.stringify(config)};\n`);
  const report = `${build}/report.json`;
  const args = ['run', '--config', `${build}/vitest.config.mjs`, '--reporter=json', `--outputFile=${report}`];
  const vitest = spawn(process.execPath, [`${root}/node_modules/vitest/vitest.mjs`, ...args], {
    cwd: root,
    stdio: 'ignore',
    // Most of these tests wait for something that must not come.
    env: { ...process.env, TIDINGS_TEST_PATIENCE_MS: '2500', TIDINGS_TEST_ALL: '' },
  });
  await once(vitest, 'exit');
  results = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8'))).testResults;
}, 180_000);

afterAll(() => {
  rmSync(build, { recursive: true, force: true, maxRetries: 5 });
});

for (const { name, title } of trackerSabotages) {
  it(`a tracker that ${name} is caught by "${title}"`, () => {
    const own = results.filter((each) => each.name.includes(`/${folderOf(name)}/`));
    const outcomes = own.flatMap(({ assertionResults }) => assertionResults).filter((each) => each.title === title);
    expect(outcomes.map(({ status }) => status)).toContain('failed');
  });
}

function folderOf(name: string): string {
  return name.replaceAll(/\W+/g, '-');
}

/** A copy with this one change; fails if there is nothing to change any more. */
function projectOf({ name, file, find, replace, test }: TrackerSabotage, n: number) {
  const folder = `${build}/${folderOf(name)}`;
  mkdirSync(folder, { recursive: true });
  cpSync(`${root}/packages/track/src`, `${folder}/src`, { recursive: true });
  const source = readFileSync(`${folder}/src/${file}`, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} has not exactly one place with: ${find}`);
  writeFileSync(
    `${folder}/src/${file}`,
    source.replace(find, () => replace),
  );
  if (test.startsWith('test/')) {
    for (const part of ['track', 'support'])
      cpSync(`${root}/test/${part}`, `${folder}/test/${part}`, { recursive: true });
  }
  return {
    root: folder,
    resolve: { alias: { '@tidings/track': `${folder}/src/index.ts` } },
    test: { name: String(n), include: [`${folder}/${test}`], testTimeout: 30_000, hookTimeout: 60_000 },
  };
}
