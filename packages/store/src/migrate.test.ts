import { describe, expect, it } from 'vitest';
import { pending, takeSteps } from './migrate.ts';
import type { Migration, SchemaChange } from './store.ts';

const order: string[] = [];
const step = (name: string): Migration => ({
  name,
  up: async () => void order.push(`run ${name}`),
});
const steps = [step('1 notes'), step('2 tags')];
const change: SchemaChange = { engine: 'sqlite', run: async () => undefined };
const namesOf = (migrations: readonly Migration[]) => migrations.map(({ name }) => name);

describe('the migrations of a schema', () => {
  it('are pending from the first one that was not applied', () => {
    expect(namesOf(pending({ applied: [] }, steps, 'data'))).toEqual(['1 notes', '2 tags']);
    expect(namesOf(pending({ applied: ['1 notes'] }, steps, 'data'))).toEqual(['2 tags']);
    expect(pending({ applied: ['1 notes', '2 tags'] }, steps, 'data')).toEqual([]);
  });

  it.each([
    ['a step of a newer program', ['1 notes', '2 tags', '3 links']],
    ['another first step', ['1 other']],
  ])('are refused after %s', (_, applied) => {
    expect(() => pending({ applied }, steps, '/data/notes')).toThrow(/^\/data\/notes was written by a newer version/);
  });

  it('are each recorded before the next one runs', async () => {
    await takeSteps(steps, change, async (name) => void order.push(`record ${name}`));
    expect(order).toEqual(['run 1 notes', 'record 1 notes', 'run 2 tags', 'record 2 tags']);
  });
});
