import { expect, it } from 'vitest';
import { isoTimeOf, localTimeOf } from './local-time.ts';

it.each(['2026-11-17T12:00:05.000Z', '2026-06-01T23:59:59.000Z', ''])(
  '%j is unchanged after conversion to local time and back',
  (iso) => {
    expect(isoTimeOf(localTimeOf(iso))).toBe(iso);
  },
);

it('omits zone and milliseconds', () => {
  expect(localTimeOf('2026-11-17T12:00:05.678Z')).toMatch(/^2026-11-1\dT\d\d:\d\d:05$/);
});
