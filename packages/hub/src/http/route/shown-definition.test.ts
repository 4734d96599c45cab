import type { HeldDefinition } from '@tidings/track/internal';
import { expect, it } from 'vitest';
import { definitionForReview } from './shown-definition.ts';

const lines = (count: number, text: string) => Array.from({ length: count }, (_, n) => `${text} ${n}`);

function held(agreed: object | undefined, seen: object): HeldDefinition {
  const texts = { agreed: agreed && JSON.stringify(agreed), seen: JSON.stringify(seen) };
  return { kind: 'tool', name: 'add', changes: ['description'], hash: 'x', ...texts };
}

it('shows the lines that changed, with the lines around them', () => {
  const agreed = { name: 'add', list: lines(10, 'same'), description: 'Adds.' };
  const { diff, cut } = definitionForReview(held(agreed, { ...agreed, description: 'Subtracts.' }), false);
  const changed = diff.split('\n').filter((line) => /^[-+]/.test(line));
  expect(changed).toEqual(['-  "description": "Adds."', '+  "description": "Subtracts."']);
  expect(cut).toBe(0);
});

it('shows a new definition as added', () => {
  const { diff } = definitionForReview(held(undefined, { name: 'add' }), false);
  expect(diff.split('\n').every((line) => line.startsWith('+'))).toBe(true);
});

it('shows both versions in full if they differ in too many lines', () => {
  const { diff } = definitionForReview(held({ list: lines(2000, 'old') }, { list: lines(2000, 'new') }), true);
  const signs = diff.split('\n').map((line) => line.charAt(0));
  expect(signs.lastIndexOf('-')).toBeLessThan(signs.indexOf('+'));
  expect(signs.filter((sign) => sign === '-').length).toBeGreaterThan(2000);
});

it('shortens a long difference in a list of many', () => {
  const { diff, cut } = definitionForReview(held(undefined, { list: lines(2000, 'long') }), false);
  expect(diff).toHaveLength(20_000);
  expect(cut).toBeGreaterThan(0);
});
