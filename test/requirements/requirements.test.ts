// Runs every scenario in all of its cells, and fails for a requirement without a proof.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Cell, cells } from '../cells.ts';
import { scenarios } from '../scenarios/all.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { hubAccessSabotages } from '../sabotage/hub-access.ts';
import { hubGatewaySabotages } from '../sabotage/hub-gateway.ts';
import { kitSabotages } from '../sabotage/kit.ts';
import { storeSabotages } from '../sabotage/store.ts';
import { trackerConnectionSabotages } from '../sabotage/tracker-connection.ts';
import { trackerUpdateSabotages } from '../sabotage/tracker-updates.ts';
import { realKit } from '../support/kit.ts';
import { variants } from '../support/run/proof-size.ts';
import { hubRequirements } from './hub.ts';
import { kitRequirements } from './kit.ts';
import type { NamedTest, TestedRequirement } from './requirement.ts';
import { storeRequirements } from './store.ts';
import { trackerRequirements } from './tracker.ts';

const tested = [...storeRequirements, ...trackerRequirements, ...hubRequirements];
const all = [...kitRequirements, ...tested];
const sourceSabotages = [
  storeSabotages,
  trackerConnectionSabotages,
  trackerUpdateSabotages,
  hubGatewaySabotages,
  hubAccessSabotages,
].flatMap(({ sabotages }) => sabotages);
const promises = promisesOf(read('ARCHITECTURE.md'));

/** Cells with a server process per scenario: only `npm run prove` runs them. */
const isApart = ({ name, client }: Cell) => name === 'legacy-stdio' && client === 'SDK 1';
const tried = variants({ test: cells.filter((cell) => !isApart(cell)), prove: cells.filter(isApart) });

for (const { id, text, cells: required } of kitRequirements) {
  const proofs = scenarios.filter(({ proves }) => proves === id);

  describe(text, () => {
    it('is proved in each of its cells', () => {
      const proved = new Set(proofs.flatMap((proof) => proof.cells));
      expect(required.filter((cell) => !proved.has(cell))).toEqual([]);
    });

    for (const cell of tried.filter(({ name }) => required.includes(name))) {
      for (const proof of proofs.filter((each) => isFor(each, cell))) {
        it.concurrent(`${cell.name}, ${cell.client}`, () => proof.run(cell, realKit));
      }
    }
  });
}

describe('the requirements', () => {
  it('of the kit have a row for every scenario', () => {
    const known = new Set(kitRequirements.map(({ id }) => id));
    expect(scenarios.map(({ proves }) => proves).filter((id) => !known.has(id))).toEqual([]);
  });

  it.each(tested)('of store, tracker and hub name existing tests: $id', ({ tests }) => {
    expect(tests).not.toEqual([]);
    expect(tests.filter((test) => !exists(test))).toEqual([]);
  });

  it('have unique ids and a source', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ source }) => source === '')).toEqual([]);
  });

  it.each(all)('name an existing source: $id, $source', ({ source }) => {
    for (const part of source.split('; ')) {
      const [, file, heading] = /^(\S+\.md)(?:, (.+))?$/.exec(part) ?? [];
      if (file !== undefined) expect(headingsOf(file)).toContain(heading);
    }
  });

  it('have a row for every promise of ARCHITECTURE.md', () => {
    expect(promises).toHaveLength(9);
    expect(promises.filter((number) => !all.some(({ promise }) => promise === number))).toEqual([]);
  });

  it('have a sabotage for every promise', () => {
    const isSabotaged = ({ tests }: TestedRequirement) =>
      tests.some(({ file, title }) => sourceSabotages.some((each) => each.test === file && each.title === title));
    const sabotaged = new Set([
      ...kitSabotages.map(({ promise }) => promise),
      ...tested.filter(isSabotaged).map(({ promise }) => promise),
    ]);
    expect(promises.filter((number) => !sabotaged.has(number))).toEqual([]);
  });
});

/** The numbers of the promises. */
function promisesOf(architecture: string): number[] {
  const section = /## Promises\n(.+?)\n## /s.exec(architecture)?.[1] ?? '';
  return [...section.matchAll(/^(\d+)\. \*\*/gm)].map(([, number]) => Number(number));
}

function headingsOf(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
}

function isFor(scenario: Scenario, cell: Cell): boolean {
  return scenario.cells.includes(cell.name) && (scenario.withEveryClient === true || cell.client === 'SDK 2');
}

function exists({ file, title }: NamedTest): boolean {
  const text = read(file);
  return ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
}

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}
