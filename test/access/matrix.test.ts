// Who sees what, on every way into the hub and in every spelling: callers × ways × resources × spellings, each cell
// decided by a rule and tried against a hub that runs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { principals, spellingNames, spellings, targets } from './cells.ts';
import { type Cell, type Rule, notAsked, rules } from './decisions.ts';
import { ways } from './ways.ts';
import { type World, openWorld } from './world.ts';

/** How many cells are tried at once. */
const atOnce = 12;

const cells: Cell[] = principals.flatMap((who) =>
  ways.flatMap((way) =>
    targets.flatMap((target) =>
      (['none', ...spellingNames] as const).map((spelling) => ({ who, way, target, spelling })),
    ),
  ),
);

const ruleOf = (cell: Cell): Rule | undefined => rules.find(({ holds }) => holds(cell));
function decided(cell: Cell): string | undefined {
  const rule = ruleOf(cell);
  return typeof rule?.outcome === 'function' ? rule.outcome(cell) : rule?.outcome;
}
const nameOf = ({ who, way, target, spelling }: Cell) => `${who} · ${way.name} · ${target.name} · ${spelling}`;

function tried(world: World, { who, way, target, spelling }: Cell): Promise<string> | undefined {
  if (spelling === 'none') return way.without?.(world, who, target);
  const uri = spellings[spelling](target);
  return uri === undefined ? undefined : way.withUri?.(world, who, target, uri);
}

describe('the matrix of access', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  }, 60_000);
  afterAll(() => world[Symbol.asyncDispose]());

  it('has a decision for every cell, and no rule without a cell', () => {
    expect(cells.filter((cell) => ruleOf(cell) === undefined).map(nameOf)).toEqual([]);
    const used = new Set(cells.map(ruleOf));
    expect(rules.filter((rule) => !used.has(rule)).map(({ because }) => because)).toEqual([]);
    expect(cells.filter((cell) => decided(cell) !== notAsked).length).toBeGreaterThan(4000);
  });

  it.each(principals)('is as decided for %s', { timeout: 120_000 }, async (who) => {
    const asked = cells.filter((cell) => cell.who === who && decided(cell) !== notAsked);
    const wrong: string[] = [];
    const work = asked.values();
    const worker = async () => {
      for (const cell of work) {
        const outcome = await tried(world, cell);
        if (outcome !== decided(cell))
          wrong.push(`${nameOf(cell)}: ${outcome}, not ${decided(cell)} (${ruleOf(cell)?.because})`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    expect(wrong).toEqual([]);
  });
});
