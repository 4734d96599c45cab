import { expect, it } from 'vitest';
import { uriMatcher } from './same-uri.ts';

it.each([
  ['docs://corp/a', 'docs://corp/a', true],
  ['docs://corp/a', 'DOCS://corp/%61', true],
  ['docs://corp/a', 'tidings://docs/docs%3A%2F%2Fcorp%2Fa', true],
  ['docs://corp/*', 'tidings://docs/docs%3A%2F%2Fcorp%2Fa', true],
  ['obs://scene/My Scene', 'obs://scene/My%20Scene', true],
  ['tidings://docs/docs%3A%2F%2Fcorp%2Fa', 'docs://corp/a', true],
  ['docs://corp/*', 'docs://other/a', false],
  ['docs://corp/a', 'docs://corp/ab', false],
  ['docs://corp/100%', 'docs://corp/100%', true],
  ['**', 'tidings://', true],
])('%s finds %s: %s', (wanted, uri, expected) => {
  expect(uriMatcher(wanted)(uri)).toBe(expected);
});
