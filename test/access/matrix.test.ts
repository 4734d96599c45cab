// The access matrix: callers × ways into the hub × resources × spellings of URIs. A rule decides each cell, and each
// cell is tested at a running hub. All proofs together test all cells; otherwise one in eleven of the unusual spellings
// is tested, and ways to whole servers with one resource per server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { principals, spellingNames, spellings, targets } from './cells.ts';
import { type Cell, type Rule, notAsked, rules } from './decisions.ts';
import { routesInSources } from '../support/routes-in-sources.ts';
import { methodsOfClients } from '../support/wire/methods-of-clients.ts';
import { isWhole } from '../support/run/proof-size.ts';
import { rowOfMethod, rowOfRoute } from './rows.ts';
import type { Way } from './way.ts';
import { ways } from './ways.ts';
import { type World, openWorld } from './world.ts';

/** The number of cells that are tested at the same time. */
const atOnce = 12;

const cells: Cell[] = principals.flatMap((who) =>
  ways.flatMap((way) =>
    targets.flatMap((target) =>
      (['none', ...spellingNames] as const).map((spelling) => ({ who, way, target, spelling })),
    ),
  ),
);

/** These ways concern a server: for its second resource they would repeat the same requests. */
const kindsOfServers: ReadonlySet<Way['kind']> = new Set([
  'tool',
  'writing tool',
  'prompt',
  'template',
  'extension',
  'task',
  'session',
]);
const isRepeated = ({ way, target }: Cell) => kindsOfServers.has(way.kind) && target.name === 'salaries';

/**
 * Eleven divides neither the number of spellings nor its multiples here, so every target is included in every spelling.
 */
const chosen = cells.filter(
  (cell, index) => isWhole || (!isRepeated(cell) && (['none', 'plain'].includes(cell.spelling) || index % 11 === 0)),
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

describe('the access matrix', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it('has a rule for every cell, and no rule without a cell', () => {
    expect(cells.filter((cell) => ruleOf(cell) === undefined).map(nameOf)).toEqual([]);
    const used = new Set(cells.map(ruleOf));
    expect(rules.filter((rule) => !used.has(rule)).map(({ because }) => because)).toEqual([]);
    expect(cells.filter((cell) => decided(cell) !== notAsked).length).toBeGreaterThan(4000);
  });

  it('has a row for every route of the hub', () => {
    const found = routesInSources();
    // Routes without authentication: health checks, login and logout.
    const open = new Set(['/', '/healthz', '/readyz', '/login', '/logout']);
    const names = new Set(ways.map(({ name }) => name));
    const undecided = new Set(found.filter((route) => !open.has(route) && !names.has(rowOfRoute[route] ?? '')));
    expect([...undecided], 'routes without a row: add one to ways.ts and rows.ts, and decide who may use it').toEqual(
      [],
    );
    expect(found.length).toBeGreaterThan(15);
  });

  it('has a row for every method of the protocol and of the sources', () => {
    const names = new Set(ways.map(({ name }) => name));
    const undecided = methodsOfClients().filter((method) => !names.has(rowOfMethod[method] ?? ''));
    expect(undecided, 'methods without a row: add one to ways.ts and rows.ts, and decide who may use it').toEqual([]);
    expect(Object.keys(rowOfMethod).filter((method) => !methodsOfClients().includes(method))).toEqual([]);
  });

  it.each(principals)('matches the responses of a hub to %s', { timeout: 120_000 }, async (who) => {
    const asked = chosen.filter((cell) => cell.who === who && decided(cell) !== notAsked);
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
