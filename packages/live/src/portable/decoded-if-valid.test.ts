import { expect, test } from 'vitest';
import { decodedIfValid } from './decoded-if-valid.ts';

test('percent-decoding that does not fail', () => {
  expect(decodedIfValid('Z%C3%BCrich')).toBe('Zürich');
  for (const other of ['100%', '%E0%A4', 'a%20%zz']) expect(decodedIfValid(other)).toBe(other);
});
