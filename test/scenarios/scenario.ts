// A scenario proves one requirement in some cells. It throws when the requirement does not hold.
import { sessionCases } from '@tidings/live/testing';
import { type Cell, type CellName, cellNames } from '../cells.ts';
import type { Kit } from '../support/kit.ts';

export interface Scenario {
  proves: string;
  cells: readonly CellName[];
  /** Runs once per cell and client; otherwise it speaks for itself, and once per cell is enough. */
  withEveryClient?: true;
  run(cell: Cell, kit: Kit): Promise<void>;
}

/** Every case of the shared session suite, as a scenario for all cells. */
export const sessionScenarios: readonly Scenario[] = sessionCases.map(({ id }) => ({
  proves: id,
  withEveryClient: true,
  cells: cellNames,
  run: async (cell, kit) => {
    await using open = await cell.open(kit);
    // The kit's own copy of the case: a sabotaged kit brings its own suite.
    await kit.testing.sessionCases.find((each) => each.id === id)?.run(open);
  },
}));
