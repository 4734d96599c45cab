import { expect, it } from 'vitest';
import { byteCount } from './byte-count.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [1536, '1.5 KB'],
  [123_456, '123 KB'],
  [99_960, '100 KB'],
  [999_499, '999 KB'],
  [999_950, '1.0 MB'],
  [2_500_000, '2.5 MB'],
  [7e15, '7000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(byteCount(bytes)).toBe(text);
});
