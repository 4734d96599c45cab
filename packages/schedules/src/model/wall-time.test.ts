import { describe, expect, it } from 'vitest';
import { momentOfWallTime, wallTimeAt } from './wall-time.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const shown = (moment: number) => new Date(moment).toISOString().replace(/(:00)?\.000Z$/, '');

it.each([
  ['2026-01-15T12:00', 'UTC', '2026-01-15T12:00'],
  ['2026-01-15T12:00', 'Europe/Berlin', '2026-01-15T13:00'],
  ['2026-07-15T12:00', 'Europe/Berlin', '2026-07-15T14:00'],
  ['2026-01-15T12:00', 'Asia/Kolkata', '2026-01-15T17:30'],
  ['2026-01-15T12:00', 'Asia/Kathmandu', '2026-01-15T17:45'],
  ['2026-01-15T12:00', 'Pacific/Kiritimati', '2026-01-16T02:00'],
  ['2026-01-15T12:00', 'Pacific/Pago_Pago', '2026-01-15T01:00'],
  ['2024-02-29T23:30', 'Europe/London', '2024-02-29T23:30'],
  ['2025-12-31T23:00', 'Europe/Berlin', '2026-01-01T00:00'],
  ['2026-01-15T23:00', 'Europe/Berlin', '2026-01-16T00:00'],
  ['1969-12-31T23:59:59', 'UTC', '1969-12-31T23:59:59'],
  // Thailand and Iran count other years, and Arabic digits differ: none of that may show here.
  ['2026-01-15T12:00', 'Asia/Bangkok', '2026-01-15T19:00'],
  ['2026-01-15T12:00', 'Asia/Tehran', '2026-01-15T15:30'],
])('%s is shown in %s as %s', (moment, zone, wall) => {
  expect(shown(wallTimeAt(at(moment), zone))).toBe(wall);
  expect(shown(momentOfWallTime(at(wall), zone))).toBe(moment);
});

it.each([0, 1, 999, -1, -999, 1_700_000_000_123])('the milliseconds of %i are kept', (moment) => {
  for (const zone of ['UTC', 'America/New_York', 'Asia/Kathmandu']) {
    expect(momentOfWallTime(wallTimeAt(moment, zone), zone)).toBe(moment);
    expect(Math.abs(wallTimeAt(moment, zone) - moment) % 1000).toBe(0);
  }
});

describe('a local time', () => {
  it.each([
    // Berlin: 02:00 to 03:00 is skipped on 29 March, and occurs twice on 25 October.
    ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59'],
    ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00'],
    ['2026-10-25T01:59', 'Europe/Berlin', '2026-10-24T23:59'],
    ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00'],
    ['2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00'],
    // The clocks of Lord Howe Island change by half an hour.
    ['2026-10-04T02:30', 'Australia/Lord_Howe', '2026-10-03T15:30'],
    // Samoa skipped a whole day.
    ['2011-12-29T23:59', 'Pacific/Apia', '2011-12-30T09:59'],
    ['2011-12-31T00:00', 'Pacific/Apia', '2011-12-30T10:00'],
  ])('%s beside a change of the clocks in %s is %s', (wall, zone, moment) => {
    expect(shown(momentOfWallTime(at(wall), zone))).toBe(moment);
  });

  it.each([
    ['2026-10-25T02:00', 'Europe/Berlin', '2026-10-25T00:00'],
    ['2026-10-25T02:59', 'Europe/Berlin', '2026-10-25T00:59'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30'],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45'],
  ])('%s, which occurs twice in %s, is the first one: %s', (wall, zone, moment) => {
    expect(shown(momentOfWallTime(at(wall), zone))).toBe(moment);
  });

  it.each([
    ['2026-03-29T02:00', 'Europe/Berlin', '2026-03-29T01:00'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:00'],
    ['2026-03-29T02:59', 'Europe/Berlin', '2026-03-29T01:00'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:00'],
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:30'],
    ['2011-12-30T00:00', 'Pacific/Apia', '2011-12-30T10:00'],
    ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T10:00'],
  ])('%s, which is skipped in %s, is the end of the gap: %s', (wall, zone, moment) => {
    expect(shown(momentOfWallTime(at(wall), zone))).toBe(moment);
  });
});

it('an unknown time zone is refused', () => {
  expect(() => wallTimeAt(0, 'Mars/Base')).toThrow(RangeError);
  expect(() => momentOfWallTime(0, '__proto__')).toThrow(RangeError);
});
