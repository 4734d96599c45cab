// The short version of `npm run chaos`, with fixed seeds. The recovery time depends on the machine, so this test only
// checks that every subscriber recovers.
import { expect, it } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { chaos } from './chaos.ts';
import type { StoreKind } from './hub.ts';
import { summary } from './results.ts';

async function short(store: StoreKind, seed: number): Promise<void> {
  const said: string[] = [];
  const { results, isRightAtTheEnd } = await chaos({
    store,
    seed,
    lengthMs: 6000,
    calmMs: 0,
    clients: 16,
    paceMs: 500,
    say: (text) => said.push(text),
  });
  const { lost } = summary(results);
  expect({ lost, isRightAtTheEnd }, said.join('\n')).toEqual({ lost: 0, isRightAtTheEnd: true });
}

const timeout = 240_000;

it('every subscriber is up to date again after each fault, on SQLite', { timeout }, () => short('sqlite', 1));

describeWith(postgresNeed, 'on PostgreSQL', () => {
  it('every subscriber is up to date again after each fault', { timeout }, () => short('postgres', 2));
});
