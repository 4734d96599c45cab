import { describe, expect, it } from 'vitest';
import { checkTimezone, isSameZone } from './timezone.ts';

describe('checkTimezone', () => {
  it.each([
    ['Europe/Oslo', 'Europe/Oslo'],
    ['europe/oslo', 'Europe/Oslo'],
    ['UTC', 'UTC'],
    ['utc', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['US/Eastern', 'US/Eastern'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
  ])('knows %s', (given, zone) => {
    expect(checkTimezone(given)).toBe(zone);
  });

  it.each(['', 'Mars/Olympus', 'Europe/Olso', 'Europe/Oslo\n', ' UTC', '+02:00', 'GMT+1', 'x'.repeat(10_000)])(
    'refuses %j',
    (zone) => {
      expect(() => checkTimezone(zone)).toThrow(
        expect.objectContaining({
          code: 'INVALID_PARAMS',
          message: expect.stringMatching(/is not a time zone.*Example: "Europe\/Oslo" or "UTC"\.$/),
        }),
      );
    },
  );

  it.each([
    ['Europe/Olso', 'Europe/Oslo'],
    ['oslo', 'Europe/Oslo'],
    ['New York', 'America/New_York'],
    ['America/New York', 'America/New_York'],
    [' UTC', 'UTC'],
  ])('suggests what is near %j', (given, zone) => {
    expect(() => checkTimezone(given)).toThrow(`Did you mean ${zone}`);
  });

  it('refers to the list if no name is similar', () => {
    expect(() => checkTimezone('Mars/Olympus')).toThrow('See timezones://valid');
  });
});

describe('isSameZone', () => {
  it('treats aliases as equal', () => {
    expect(isSameZone('Asia/Kolkata', 'Asia/Calcutta')).toBe(true);
    expect(isSameZone('Europe/Oslo', 'America/New_York')).toBe(false);
  });
});
