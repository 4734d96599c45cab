import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasOffset, momentOf } from './moment.ts';

const noon = Date.UTC(2025, 9, 14, 12) * 1000;

describe('a moment', () => {
  it.each([
    ['2025-10-14T12:00:00Z', noon],
    ['2025-10-14t12:00:00z', noon],
    ['2025-10-14 12:00:00Z', noon],
    ['2025-10-14T12:00:00', noon],
    ['2025-10-14T14:00:00+02:00', noon],
    ['2025-10-14T14:00:00+0200', noon],
    ['2025-10-13T23:30:00-12:30', noon],
    ['2025-10-14T12:00:00.5Z', noon + 500_000],
    ['2025-10-14T12:00:00.000001Z', noon + 1],
    ['2025-10-14T12:00:00.0000019999999999Z', noon + 1],
    ['2025-10-14T11:59:60Z', noon],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29) * 1000],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000_000],
  ])('%s is %d', (text, microseconds) => {
    expect(momentOf(text)).toBe(microseconds);
  });

  it.each([
    '2025-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2025-13-01T00:00:00Z',
    '2025-00-10T00:00:00Z',
    '2025-10-14T24:00:00Z',
    '2025-10-14T12:60:00Z',
    '2025-10-14T12:00:61Z',
    '2025-10-14T12:00:00+25:00',
    '2025-10-14T12:00:00.Z',
    '2025-10-14',
    ' 2025-10-14T12:00:00Z',
    '2025-10-14T12:00:00Z\n',
    'yesterday',
    '',
    1_760_000_000,
    null,
    {},
  ])('is not %j', (value) => {
    expect(momentOf(value)).toBeUndefined();
  });

  it('is the same with any offset', () => {
    const time = fc.date({ min: new Date('1971-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(time, fc.integer({ min: -14 * 60, max: 14 * 60 }), (time, minutes) => {
        const local = new Date(time.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const two = (number: number) => String(Math.trunc(number)).padStart(2, '0');
        const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
        expect(momentOf(local + offset)).toBe(time.getTime() * 1000);
      }),
    );
  });

  it('reports whether it has an offset', () => {
    expect(hasOffset('2025-10-14T12:00:00Z')).toBe(true);
    expect(hasOffset('2025-10-14T12:00:00.25-05:00')).toBe(true);
    expect(hasOffset('2025-10-14T12:00:00')).toBe(false);
    expect(hasOffset('2025-10-14')).toBe(false);
  });
});
