import { expect, test } from 'vitest';
import { splitMark, withoutMark } from './byte-order-mark.ts';

test('a byte order mark is one at the beginning', () => {
  expect(splitMark('\uFEFF{}')).toEqual({ mark: '\uFEFF', bare: '{}' });
  expect(splitMark('{}\uFEFF')).toEqual({ mark: '', bare: '{}\uFEFF' });
  expect(['\uFEFF{}', '\uFEFF', ''].map(withoutMark)).toEqual(['{}', '', '']);
});
