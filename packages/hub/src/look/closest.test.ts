import { expect, it } from 'vitest';
import { closest } from './closest.ts';

const names = ['counter://value', 'clock://now', 'note://shopping-list', 'note://shopping-bag', 'note://shoes'];

it.each([
  ['counter://valu', ['counter://value']],
  ['COUNTER://VALUE', ['counter://value']],
  ['shopping', ['note://shopping-bag', 'note://shopping-list']],
  ['quite://another/thing', []],
  ['', []],
])('%j gets the suggestion %j', (typed, expected) => {
  expect(closest(typed, names)).toEqual(expected);
});
