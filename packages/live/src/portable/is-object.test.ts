import { expect, it } from 'vitest';
import { isObject } from './is-object.ts';

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
  [1, false],
])('of %j is %s', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});
