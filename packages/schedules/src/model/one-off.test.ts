import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDelay } from './delay.ts';
import { type OneOffTime, resolveOneOff } from './one-off.ts';
import { momentOfWallTime, wallTimeAt } from './wall-time.ts';

const now = new Date('2026-06-01T10:00:00Z');
const minuteMs = 60_000;

describe('resolveOneOff', () => {
  it.each<[OneOffTime, string]>([
    [{ delay: '30s' }, '2026-06-01T10:00:30Z'],
    [{ delay: '10m' }, '2026-06-01T10:10:00Z'],
    [{ delay: '2h' }, '2026-06-01T12:00:00Z'],
    [{ delay: '1d' }, '2026-06-02T10:00:00Z'],
    [{ delay: '1h30m' }, '2026-06-01T11:30:00Z'],
    [{ delay: '365d' }, '2027-06-01T10:00:00Z'],
    [{ datetime: '2026-06-01T12:00:01+02:00' }, '2026-06-01T10:00:01Z'],
    [{ datetime: '2026-06-01T12:00+0130' }, '2026-06-01T10:30:00Z'],
    [{ datetime: '2026-06-01T05:30:00-05:00' }, '2026-06-01T10:30:00Z'],
    [{ datetime: '2026-12-24T18:00:00Z' }, '2026-12-24T18:00:00Z'],
    [{ datetime: '2026-12-24t18:00:00.25z' }, '2026-12-24T18:00:00.250Z'],
    [{ datetime: '2028-02-29T00:00:00Z' }, '2028-02-29T00:00:00Z'],
    [{ date: '2026-12-24', time: '18:00', timezone: 'Europe/Oslo' }, '2026-12-24T17:00:00Z'],
    [{ date: '2026-06-01', time: '12:00:01', timezone: 'Europe/Oslo' }, '2026-06-01T10:00:01Z'],
    // Without a date: later today, or else tomorrow, in that zone.
    [{ time: '12:01', timezone: 'Europe/Oslo' }, '2026-06-01T10:01:00Z'],
    [{ time: '12:00', timezone: 'Europe/Oslo' }, '2026-06-02T10:00:00Z'],
    [{ time: '00:30', timezone: 'Pacific/Kiritimati' }, '2026-06-01T10:30:00Z'],
    [{ time: '23:00', timezone: 'Pacific/Pago_Pago' }, '2026-06-02T10:00:00Z'],
  ])('reads %j', (when, due) => {
    expect(new Date(resolveOneOff(when, now))).toEqual(new Date(due));
  });

  it.each<[string, OneOffTime, string]>([
    [
      'skipped, so the end of the gap',
      { date: '2027-03-28', time: '02:30', timezone: 'Europe/Oslo' },
      '2027-03-28T01:00:00Z',
    ],
    [
      'skipped, so the end of the gap',
      { date: '2027-03-14', time: '02:30', timezone: 'America/New_York' },
      '2027-03-14T07:00:00Z',
    ],
    [
      'the beginning of a gap is its end',
      { date: '2027-03-28', time: '02:00', timezone: 'Europe/Oslo' },
      '2027-03-28T01:00:00Z',
    ],
    ['just before a gap', { date: '2027-03-28', time: '01:59:59', timezone: 'Europe/Oslo' }, '2027-03-28T00:59:59Z'],
    ['just after a gap', { date: '2027-03-28', time: '03:00', timezone: 'Europe/Oslo' }, '2027-03-28T01:00:00Z'],
    ['twice, so the first', { date: '2026-10-25', time: '02:30', timezone: 'Europe/Oslo' }, '2026-10-25T00:30:00Z'],
    [
      'twice, so the first',
      { date: '2026-11-01', time: '01:30', timezone: 'America/New_York' },
      '2026-11-01T05:30:00Z',
    ],
    [
      'just after it came twice',
      { date: '2026-11-01', time: '02:00', timezone: 'America/New_York' },
      '2026-11-01T07:00:00Z',
    ],
    [
      'a gap of half an hour',
      { date: '2026-10-04', time: '02:15', timezone: 'Australia/Lord_Howe' },
      '2026-10-03T15:30:00Z',
    ],
    ['a gap at midnight', { date: '2027-09-05', time: '00:30', timezone: 'America/Santiago' }, '2027-09-05T04:00:00Z'],
  ])('when clocks change: %s', (_name, when, due) => {
    expect(new Date(resolveOneOff(when, now))).toEqual(new Date(due));
  });

  it.each<[string, OneOffTime, string, string]>([
    ['before both', { time: '01:30' }, '2026-11-01T05:00:00Z', '2026-11-01T05:30:00Z'],
    ['between both', { time: '01:30' }, '2026-11-01T05:45:00Z', '2026-11-01T06:30:00Z'],
    ['in the second hour', { time: '01:30' }, '2026-11-01T06:15:00Z', '2026-11-01T06:30:00Z'],
    [
      'between both, with the date',
      { date: '2026-11-01', time: '01:30' },
      '2026-11-01T05:45:00Z',
      '2026-11-01T06:30:00Z',
    ],
    ['after both', { time: '01:30' }, '2026-11-01T06:45:00Z', '2026-11-02T06:30:00Z'],
  ])('of a time that comes twice takes the next: %s', (_when, when, at, due) => {
    const found = resolveOneOff({ ...when, timezone: 'America/New_York' }, new Date(at));
    expect(new Date(found)).toEqual(new Date(due));
  });

  it.each<[OneOffTime, string]>([
    [{}, 'one of delay, datetime or time'],
    [{ delay: '10m', datetime: '2026-12-24T18:00:00Z' }, 'delay and datetime do not go together'],
    [{ delay: '10m', time: '18:00', timezone: 'UTC' }, 'delay and time and timezone do not go together'],
    [{ datetime: '2026-12-24T18:00:00Z', timezone: 'UTC' }, 'datetime and timezone do not go together'],
    [{ date: '2026-12-24' }, 'time is missing'],
    [{ timezone: 'UTC' }, 'time is missing'],
    [{ time: '18:00' }, 'in which time zone'],
    [{ time: '18:00', timezone: 'Mars/Olympus' }, 'not a time zone'],
    [{ time: '24:00', timezone: 'UTC' }, 'not a time of day'],
    [{ time: '6pm', timezone: 'UTC' }, 'not a time of day'],
    [{ time: '18:00\n', timezone: 'UTC' }, 'not a time of day'],
    [{ date: '2026-02-30', time: '18:00', timezone: 'UTC' }, 'not a day'],
    [{ date: '24.12.2026', time: '18:00', timezone: 'UTC' }, 'not a day'],
    [
      { date: '2026-05-31', time: '18:00', timezone: 'UTC' },
      '"2026-05-31 18:00" is in the past: it is now 2026-06-01T10:00',
    ],
    [{ datetime: '2026-06-01T10:00:00Z' }, 'in the past'],
    [{ datetime: '2026-06-01T11:59:59+02:00' }, 'in the past'],
    [{ datetime: '2026-12-24T18:00:00' }, 'has no offset'],
    [{ datetime: '2026-12-24' }, 'not an ISO 8601'],
    [{ datetime: '2026-12-24 18:00:00Z' }, 'not an ISO 8601'],
    [{ datetime: '2026-12-24T18:00:00Z\n' }, 'not an ISO 8601'],
    [{ datetime: '2026-02-30T18:00:00Z' }, 'not a day'],
    [{ datetime: '2026-12-24T25:00:00Z' }, 'not a time of day'],
    [{ datetime: '2026-12-24T18:00:00+99:00' }, 'not an offset'],
    [{ delay: '0s' }, 'too short'],
    [{ delay: '0h0m' }, 'too short'],
    [{ delay: '' }, 'not a delay'],
    [{ delay: '10' }, 'not a delay'],
    [{ delay: '10m\n' }, 'not a delay'],
    [{ delay: '-10m' }, 'not a delay'],
    [{ delay: '1.5h' }, 'not a delay'],
    [{ delay: '30m1h' }, 'not a delay'],
    [{ delay: '10 m' }, 'not a delay'],
    [{ delay: '365d1s' }, 'too long'],
    [{ delay: '999999999d' }, 'too long'],
  ])('refuses %j', (when, problem) => {
    expect(() => resolveOneOff(when, now)).toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAMS',
        message: expect.stringMatching(new RegExp(`${problem}.*Example: `)),
      }),
    );
  });
});

describe('a delay', () => {
  it('is the sum of its parts', () => {
    const part = fc.integer({ min: 0, max: 80 });
    fc.assert(
      fc.property(part, part, part, part, (d, h, m, s) => {
        fc.pre(d + h + m + s > 0);
        const text = `${d > 0 ? `${d}d` : ''}${h > 0 ? `${h}h` : ''}${m > 0 ? `${m}m` : ''}${s > 0 ? `${s}s` : ''}`;
        expect(parseDelay(text)).toBe((((d * 24 + h) * 60 + m) * 60 + s) * 1000);
      }),
    );
  });
});

describe('wall time', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Oslo', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe');

  it('is converted back to the first moment that shows it', () => {
    const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) });
    fc.assert(
      fc.property(moments, zones, (moment, zone) => {
        const shown = wallTimeAt(moment, zone);
        const found = momentOfWallTime(shown, zone);
        expect(wallTimeAt(found, zone)).toBe(shown);
        expect([0, 30 * minuteMs, 60 * minuteMs]).toContain(moment - found);
      }),
      { numRuns: 300 },
    );
  });
});
