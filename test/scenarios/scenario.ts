// A scenario proves one requirement in some cells. It throws if the requirement is not met.
import { sessionCases } from '@tidings/live/testing';
import { type Cell, type CellName, cellNames } from '../cells.ts';
import type { Kit } from '../support/kit.ts';

export interface Scenario {
  proves: string;
  cells: readonly CellName[];
  /** Whether it runs once per cell and client; by default it uses no client library, and runs once per cell. */
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
    // The case of the kit under test: a sabotaged kit has its own copy of the suite.
    await kit.testing.sessionCases.find((each) => each.id === id)?.run(open);
  },
}));
