import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';
import { FakeClock } from '../testing/fake-clock.ts';

const clock = new FakeClock(Date.parse('2026-11-18T08:00:00Z'));

it.each([
  ['120', 120_000],
  ['Wed, 18 Nov 2026 08:00:30 GMT', 30_000],
  ['Wed, 18 Nov 2026 07:00:00 GMT', undefined],
  ['0', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('of %j is %s ms', (value, expected) => {
  const headers = new Headers(value === undefined ? {} : { 'Retry-After': value });
  expect(retryAfterMs({ headers }, clock)).toBe(expected);
});
