// Breaks packages in one place at a time and checks that the test of the promise fails. One Vitest process beside this
// one runs all tests, each in its own copy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'rolldown/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeBrokenCopy } from './broken-copy.ts';
import { root } from './module-graph.ts';

interface SourceSabotage {
  /** The sabotage, as a verb phrase about the package. */
  name: string;
  /** A source file of the package, and the replacement in it. */
  file: string;
  find: string;
  replace: string;
  /** The test that must fail: its file, relative to the project's root, and its title. */
  test: string;
  title: string;
}

export interface BrokenSources {
  /** The folder of the package, relative to the project's root. */
  folder: string;
  sabotages: readonly SourceSabotage[];
}

const outcomesSchema = z.array(z.object({ file: z.string(), title: z.string(), states: z.array(z.string()) }));

const runner = fileURLToPath(new URL('run-copies.js', import.meta.url));

/** The keys of `broken` are the subjects of the test titles. */
export function areCaught(broken: Readonly<Record<string, BrokenSources>>): void {
  const build = fileURLToPath(new URL(`.build/${process.pid}`, import.meta.url));
  const copyOf = (folder: string, name: string) => `${build}/${`${folder}-${name}`.replaceAll(/\W+/g, '-')}`;
  const all = Object.values(broken).flatMap(({ folder, sabotages }) => sabotages.map((each) => ({ folder, ...each })));
  let outcomes: z.infer<typeof outcomesSchema> = [];

  beforeAll(async () => {
    mkdirSync(build, { recursive: true });
    for (const { folder, name, file, test, ...change } of all) {
      makeBrokenCopy({
        copy: copyOf(folder, name),
        from: [`${root}/${test}`],
        file: `${root}/${folder}/dist/${file.replace(/\.ts$/, '.js')}`,
        code: await compiled(`${root}/${folder}/src/${file}`, change),
      });
    }
    const list = `${build}/runs.json`;
    const runs = all.map(({ folder, name, test, title }) => ({ file: `${copyOf(folder, name)}/${test}`, title }));
    writeFileSync(list, JSON.stringify(runs));
    const vitest = spawn(process.execPath, [runner, list], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      // Most of these tests wait for an event that must not come. Without a sabotage none waits this long.
      env: { ...process.env, TIDINGS_TEST_PATIENCE_MS: '5000', TIDINGS_TEST_ALL: '' },
    });
    await once(vitest, 'exit');
    outcomes = outcomesSchema.parse(JSON.parse(readFileSync(list, 'utf8')));
  }, 600_000);

  afterAll(() => rmSync(build, { recursive: true, force: true, maxRetries: 5 }));

  for (const [kind, { folder, sabotages }] of Object.entries(broken)) {
    describe(kind, () => {
      for (const { name, test, title } of sabotages) {
        it(`that ${name} is caught by "${title}"`, () => {
          const states = outcomes.find(({ file }) => file === `${copyOf(folder, name)}/${test}`)?.states;
          expect(states, 'the test could not be run on the copy').not.toEqual([]);
          expect(states).toContain('failed');
        });
      }
    });
  }
}

/** The file with this one change; fails if the text to replace is not in the file. */
async function compiled(file: string, { find, replace }: { find: string; replace: string }): Promise<string> {
  const source = readFileSync(file, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} has not exactly one place with: ${find}`);
  const { code, errors } = await transform(
    file,
    source.replace(find, () => replace),
    { target: 'node20', typescript: { rewriteImportExtensions: true } },
  );
  if (errors.length > 0) throw new Error(`The broken ${file} cannot be compiled.`, { cause: errors });
  return code;
}
