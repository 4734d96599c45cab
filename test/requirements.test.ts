// Runs every scenario in every cell it is for, and fails for what no scenario proves.
import { describe, expect, it } from 'vitest';
import { type Cell, cells } from './cells.ts';
import { requirements } from './requirements.ts';
import { scenarios } from './scenarios/all.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { realKit } from './support/kit.ts';

for (const { id, text, cells: required } of requirements) {
  const proofs = scenarios.filter(({ proves }) => proves === id);

  describe(text, () => {
    it('is proved in every cell it is for', () => {
      const proved = new Set(proofs.flatMap((proof) => proof.cells));
      expect(required.filter((cell) => !proved.has(cell))).toEqual([]);
    });

    for (const cell of cells.filter(({ name }) => required.includes(name))) {
      for (const proof of proofs.filter((each) => isFor(each, cell))) {
        it.concurrent(`${cell.name}, ${cell.client}`, () => proof.run(cell, realKit));
      }
    }
  });
}

function isFor(scenario: Scenario, cell: Cell): boolean {
  return scenario.cells.includes(cell.name) && (scenario.withEveryClient === true || cell.client === 'SDK 2');
}

it('has a requirement for every scenario', () => {
  const known = new Set(requirements.map(({ id }) => id));
  expect(scenarios.map(({ proves }) => proves).filter((id) => !known.has(id))).toEqual([]);
});
