// run-copies.js FILE: runs one test in each broken copy, all in one run of Vitest. FILE lists them as `{ file, title
// }`; their results are added to it as `states`.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';

const [list = ''] = process.argv.slice(2);
/** @type {{ file: string, title: string, states?: string[] }[]} */
const runs = JSON.parse(readFileSync(list, 'utf8'));

const config = fileURLToPath(new URL('copies.config.ts', import.meta.url));
const vitest = await createVitest('test', { config, root: process.cwd(), watch: false });
const specifications = runs.map(({ file, title }) =>
  vitest
    .getRootProject()
    .createSpecification(file, { testNamePattern: new RegExp(`${title.replaceAll(/[^\w ]/g, '.')}$`) }),
);
const { testModules } = await vitest.runTestSpecifications(specifications);
for (const run of runs) {
  const tests = testModules.find(({ moduleId }) => moduleId === run.file)?.children.allTests() ?? [];
  run.states = Array.from(tests)
    .filter(({ name }) => name === run.title)
    .map((test) => test.result().state);
}
writeFileSync(list, JSON.stringify(runs));
await vitest.close();
