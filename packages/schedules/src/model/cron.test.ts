import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCron, lastOccurrence, nextOccurrence } from './cron.ts';

describe('checkCron', () => {
  it.each([
    ['0 9 * * *', '0 9 * * *'],
    ['*/15 8-17 * * 1-5', '*/15 8-17 * * 1-5'],
    ['0 9 * JAN MON-FRI', '0 9 * JAN MON-FRI'],
    ['0 0 29 2 *', '0 0 29 2 *'],
    ['0 9 L * *', '0 9 L * *'],
    ['0 12 * * 7', '0 12 * * 7'],
    ['  0   9 * * *\n', '0 9 * * *'],
  ])('takes %j', (cron, normal) => {
    expect(checkCron(cron, 'Europe/Oslo')).toEqual({ cron: normal, timezone: 'Europe/Oslo' });
  });

  it.each([
    ['60 99 * * *', 'wrong minute "60" \\(0-59\\), hour "99" \\(0-23\\)'],
    ['0 0 32 * *', 'wrong day of month "32" \\(1-31\\)'],
    ['0 0 0 * *', 'wrong day of month "0" \\(1-31\\)'],
    ['0 0 * 13 *', 'wrong month "13"'],
    ['0 0 * * 8', 'wrong day of week "8"'],
    ['-1 * * * *', 'wrong minute "-1"'],
    ['1-5,60 * * * *', 'wrong minute'],
    ['*/0 * * * *', 'wrong minute'],
    ['5/10 * * * *', 'wrong minute'],
    ['a b c d e', 'wrong minute "a" .*, hour "b" .*, day of month "c" .*, month "d" .*, day of week "e"'],
    ['* * * *', 'has 4 fields, and a cron expression has five'],
    ['* * * * * *', 'has 6 fields.*Seconds cannot be given'],
    ['0 0 1 1 * * 2030', 'has 7 fields'],
    ['@daily', 'has 1 field,'],
    ['', 'has 0 fields'],
    [' \n ', 'has 0 fields'],
    ['0 0 31 2 *', 'would never fire'],
    ['0 0 30 FEB *', 'would never fire'],
    ['0 0 31 4,6 *', 'would never fire'],
    [`0 0 * * ${'1,'.repeat(200)}1`, 'at most 256 characters'],
  ])('refuses %j', (cron, problem) => {
    expect(() => checkCron(cron, 'UTC')).toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAMS',
        message: expect.stringMatching(new RegExp(`${problem}.*Example: "30 9 \\* \\* 1-5"`)),
      }),
    );
  });

  it('reads a time zone before the expression', () => {
    expect(checkCron('CRON_TZ=Europe/Oslo 0 9 * * *')).toEqual({ cron: '0 9 * * *', timezone: 'Europe/Oslo' });
    expect(checkCron('CRON_TZ=Asia/Calcutta 0 9 * * *', 'Asia/Kolkata').timezone).toBe('Asia/Kolkata');
  });

  it.each([
    ['CRON_TZ=Europe/Oslo 0 9 * * *', 'UTC', 'CRON_TZ=Europe/Oslo and the timezone is UTC'],
    ['CRON_TZ=Mars/Olympus 0 9 * * *', undefined, 'not a time zone'],
    ['CRON_TZ= 0 9 * * *', 'UTC', 'not a time zone'],
    ['0 9 * * *', 'Mars/Olympus', 'not a time zone'],
    ['0 9 * * *', undefined, 'needs a time zone'],
  ])('refuses %j with the zone %s', (cron, timezone, problem) => {
    expect(() => checkCron(cron, timezone)).toThrow(problem);
  });
});

describe('nextOccurrence', () => {
  it.each([
    [
      'a time that is skipped fires at the end of the gap',
      '30 2 * * *',
      'Europe/Oslo',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'a time that is skipped fires at the end of the gap',
      '30 2 * * *',
      'America/New_York',
      '2026-03-07T17:00Z',
      ['2026-03-08T07:00', '2026-03-09T06:30'],
    ],
    [
      'a time that is skipped until midnight fires at midnight',
      '30 23 * * *',
      'America/Nuuk',
      '2026-03-27T12:00Z',
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'a time that comes twice fires the first time',
      '30 2 * * *',
      'Europe/Oslo',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'a time that comes twice fires the first time',
      '30 1 * * *',
      'America/New_York',
      '2026-10-31T17:00Z',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'an interval goes on through a gap',
      '*/30 * * * *',
      'Europe/Oslo',
      '2026-03-29T00:00Z',
      ['2026-03-29T00:30', '2026-03-29T01:00', '2026-03-29T01:30'],
    ],
    [
      'an interval goes on through a repeated hour',
      '*/30 * * * *',
      'America/New_York',
      '2026-11-01T05:00Z',
      ['2026-11-01T05:30', '2026-11-01T06:00', '2026-11-01T06:30', '2026-11-01T07:00'],
    ],
    [
      'several times follow the clock: skipped',
      '0,30 2 * * *',
      'Europe/Oslo',
      '2026-03-28T12:00Z',
      ['2026-03-30T00:00', '2026-03-30T00:30'],
    ],
    [
      'several times follow the clock: repeated',
      '0,30 1 * * *',
      'America/New_York',
      '2026-11-01T04:00Z',
      ['2026-11-01T05:00', '2026-11-01T05:30', '2026-11-01T06:00', '2026-11-01T06:30', '2026-11-02T06:00'],
    ],
    ['far from UTC', '0 9 * * *', 'Pacific/Kiritimati', '2026-06-01T00:00Z', ['2026-06-01T19:00']],
    ['half an hour from UTC', '0 9 * * *', 'Asia/Kolkata', '2026-06-01T00:00Z', ['2026-06-01T03:30']],
    ['the moment itself does not count', '0 9 * * *', 'UTC', '2026-06-01T09:00Z', ['2026-06-02T09:00']],
    ['a millisecond before does', '0 9 * * *', 'UTC', '2026-06-01T08:59:59.999Z', ['2026-06-01T09:00']],
  ])('%s: %s in %s after %s', (_name, cron, zone, after, expected) => {
    let moment: Date | undefined = new Date(after);
    const found: string[] = [];
    for (let n = 0; n < expected.length && moment; n += 1) {
      moment = nextOccurrence(cron, zone, moment);
      found.push(moment?.toISOString() ?? 'none');
    }
    expect(found).toEqual(expected.map((each) => `${each}:00.000Z`));
  });
});

describe('lastOccurrence', () => {
  it('includes the moment itself', () => {
    const at = new Date('2026-06-01T09:00Z');
    expect(lastOccurrence('0 9 * * *', 'UTC', at)).toEqual(at);
    expect(lastOccurrence('0 9 * * *', 'UTC', new Date(at.getTime() - 1))).toEqual(new Date('2026-05-31T09:00Z'));
  });

  it('is the one after which the next is still in the future', () => {
    const cron = fc
      .tuple(
        fc.constantFrom('*', '*/7', '0', '30', '0,30'),
        fc.constantFrom('*', '1', '2', '3', '*/5', '1-3'),
        fc.constantFrom('*', '1', '25', '29'),
        fc.constantFrom('*', '3', '10,11'),
        fc.constantFrom('*', '0', '1-5'),
      )
      .map((parts) => parts.join(' '));
    const zone = fc.constantFrom('UTC', 'Europe/Oslo', 'America/New_York', 'America/Nuuk', 'Australia/Lord_Howe');
    // Includes moments around daylight saving changes.
    const moment = fc.oneof(
      fc.integer({ min: Date.UTC(2026, 2, 28), max: Date.UTC(2026, 2, 30) }),
      fc.integer({ min: Date.UTC(2026, 9, 24), max: Date.UTC(2026, 10, 2) }),
      fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2030, 0, 1) }),
    );
    fc.assert(
      fc.property(cron, zone, moment, (cron, zone, now) => {
        const last = lastOccurrence(cron, zone, new Date(now));
        if (!last) throw new Error('There is none.');
        expect(last.getTime()).toBeLessThanOrEqual(now);
        expect(nextOccurrence(cron, zone, last)?.getTime()).toBeGreaterThan(now);
        const next = nextOccurrence(cron, zone, new Date(now));
        expect(next?.getTime()).toBeGreaterThan(now);
        expect((next?.getTime() ?? 1) % 60_000).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});
