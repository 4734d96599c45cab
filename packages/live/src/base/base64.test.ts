import { expect, it } from 'vitest';
import { toBase64, toBase64Anywhere } from './base64.ts';

it.each([0, 1, 2, 3, 8191, 8192, 100_000])('base64 is the same with and without Buffer: %i bytes', (length) => {
  const whole = Uint8Array.from({ length: length + 2 }, (_, n) => (n * 7) % 256);
  // A view of a larger buffer, as bytes often are.
  const bytes = whole.subarray(1, length + 1);
  const expected = Buffer.from(bytes).toString('base64');
  expect([toBase64(bytes), toBase64Anywhere(bytes)]).toEqual([expected, expected]);
});
