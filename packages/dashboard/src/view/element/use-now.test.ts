import { expect, it } from 'vitest';
import { ago, durationInWords } from './use-now.ts';

it.each([
  [-5, 'now'],
  [1, 'now'],
  [5, '5 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3599, '59 min'],
  [7200, '2 h'],
  [4 * 86_400, '4 d'],
])('%i seconds ago is %j', (seconds, text) => {
  expect(ago(0, seconds * 1000)).toBe(text);
});

it.each([
  [1, 'since just now'],
  [5, 'for 5 s'],
])('a state of %i seconds is %j', (seconds, text) => {
  expect(durationInWords(0, seconds * 1000)).toBe(text);
});
