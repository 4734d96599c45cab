import { expect, it } from 'vitest';
import { byteCount } from './byte-count.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [15_360, '15 kB'],
  [5_000_000, '5.0 MB'],
  [2_000_000_000_000, '2000 GB'],
])('%i bytes are %s', (bytes, expected) => {
  expect(byteCount(bytes)).toBe(expected);
});
