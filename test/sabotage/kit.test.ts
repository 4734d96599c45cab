// Breaks a copy of the built kit in one place at a time and checks that the proofs of the promise fail.
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells } from '../cells.ts';
import { kitRequirements } from '../requirements/kit.ts';
import { scenarios } from '../scenarios/all.ts';
import { loadKit } from '../support/kit.ts';
import { makeBrokenCopy } from './broken-copy.ts';
import { type KitSabotage, kitSabotages } from './kit.ts';
import { root } from './module-graph.ts';

const dist = 'packages/live/dist';
const modules = readdirSync(`${root}/${dist}`, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js'))
  .map((name) => `${root}/${dist}/${name}`);
// A folder for this run, inside the project so that imports resolve.
const build = fileURLToPath(new URL(`.build/${process.pid}`, import.meta.url));

beforeAll(() => {
  // Each of these tests waits for an event that must not come.
  process.env['TIDINGS_TEST_PATIENCE_MS'] = '2500';
});

afterAll(() => {
  rmSync(build, { recursive: true, force: true, maxRetries: 5 });
});

for (const sabotage of kitSabotages) {
  const { name, promise, breaks, cells: affected } = sabotage;
  describe(`${promise === undefined ? '' : `promise ${promise}: `}a kit that ${name}`, () => {
    for (const requirement of breaks) {
      for (const cell of cells.filter((each) => affected.includes(each.name) && each.client === 'SDK 2')) {
        it.concurrent(`is caught by ${requirement} in ${cell.name}`, async () => {
          const kit = await loadKit(sabotaged(sabotage));
          const proofs = scenarios.filter((each) => each.proves === requirement && each.cells.includes(cell.name));
          const outcomes = await Promise.allSettled(proofs.map((proof) => proof.run(cell, kit)));
          expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
        });
      }
    }
  });
}

it('has a sabotage for every promise', () => {
  const promised = new Set(kitRequirements.flatMap(({ promise }) => promise ?? []));
  const sabotaged = new Set(kitSabotages.map(({ promise }) => promise));
  expect([...promised].filter((promise) => !sabotaged.has(promise))).toEqual([]);
});

const copies = new Map<string, string>();

/** A copy of the build with this one change; fails if the text to replace is not in the file. */
function sabotaged({ name, file, find, replace }: KitSabotage): string {
  const made = copies.get(name);
  if (made !== undefined) return made;
  const copy = `${build}/${name.replaceAll(' ', '-')}`;
  const broken = `${root}/${dist}/${file}`;
  const source = readFileSync(broken, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} has not exactly one place with: ${find}`);
  makeBrokenCopy({ copy, from: modules, file: broken, code: source.replace(find, replace) });
  const folder = `${copy}/${dist}`;
  copies.set(name, folder);
  return folder;
}
