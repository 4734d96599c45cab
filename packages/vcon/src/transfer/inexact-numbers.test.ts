import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inexactNumber } from './inexact-numbers.ts';

describe('a number that would change when stored', () => {
  test.each([
    ['9007199254740993', '9007199254740992'],
    ['-12345678901234567890', '-12345678901234567000'],
    ['0.12345678901234567890', '0.12345678901234568'],
    ['1e400', 'null'],
    ['-1e400', 'null'],
    ['1e-400', '0'],
    ['1.00000000000000000000001', '1'],
  ])('%s', (written, kept) => {
    expect(inexactNumber(written)).toEqual({ written, kept });
  });
});

describe('a number whose value is kept in any notation', () => {
  test.each([
    '9007199254740992',
    '1.0000000000000000000',
    '100000000000000000000',
    '1E5',
    '1e+21',
    '0e999',
    '-0.0',
    '0.1',
    '5e-324',
  ])('%s', (written) => expect(inexactNumber(written)).toBeUndefined());

  test('every number written by JavaScript keeps its value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(inexactNumber(JSON.stringify(value))).toBeUndefined();
      }),
    );
  });
});
