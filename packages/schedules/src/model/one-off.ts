// The due time of a one-off notification, given in one of three ways.
import { parseDelay } from './delay.ts';
import { quotedValue, refusal } from './refusal.ts';
import { checkTimezone } from './timezone.ts';
import { momentOfWallTime, wallTimeAt } from './wall-time.ts';

export interface OneOffTime {
  delay?: string | undefined;
  datetime?: string | undefined;
  date?: string | undefined;
  time?: string | undefined;
  timezone?: string | undefined;
}

const dayMs = 86_400_000;
const modes =
  'delay "10m", or datetime "2030-12-24T18:00:00+01:00", or time "18:00" with timezone "Europe/Oslo" and perhaps date "2030-12-24"';

/**
 * Milliseconds since the epoch, later than `now`. Without a date, a time means the next time the clock
 * shows it. A local time that the clocks skip means the end of the gap; one that comes twice, the first that is not
 * past.
 */
export function resolveOneOff(when: OneOffTime, now: Date): number {
  const due = dueOf(when, now);
  if (due > now.getTime()) return due;
  const { datetime, date, time } = when;
  const given = quotedValue(datetime ?? [date, time].filter((part) => part !== undefined).join(' '));
  throw refusal(`${given} is in the past: it is now ${now.toISOString()}.`, 'delay "10m", for ten minutes from now');
}

function dueOf({ delay, datetime, date, time, timezone }: OneOffTime, now: Date): number {
  const isLocal = date !== undefined || time !== undefined || timezone !== undefined;
  const given = [delay !== undefined, datetime !== undefined, isLocal].filter(Boolean).length;
  if (given === 0) throw refusal('Give one of delay, datetime or time.', modes);
  if (given > 1) {
    const names = Object.entries({ delay, datetime, date, time, timezone }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    throw refusal(`Say when in one way only: ${names.join(' and ')} do not go together.`, modes);
  }
  if (delay !== undefined) return now.getTime() + parseDelay(delay);
  if (datetime !== undefined) return parseDatetime(datetime);
  if (time === undefined) throw refusal('The time is missing: a date or time zone alone does not say when.', modes);
  if (timezone === undefined) throw refusal(`${quotedValue(time)} in which time zone? Give timezone too.`, modes);
  return localTime(date, time, checkTimezone(timezone), now);
}

function localTime(date: string | undefined, time: string, zone: string, now: Date): number {
  const timeOfDay = parseTime(time);
  const since = now.getTime();
  if (date !== undefined) return momentOfWallTime(parseDate(date) + timeOfDay, zone, since);
  const today = Math.floor(wallTimeAt(since, zone) / dayMs) * dayMs;
  const comingToday = momentOfWallTime(today + timeOfDay, zone, since);
  return comingToday > since ? comingToday : momentOfWallTime(today + dayMs + timeOfDay, zone);
}

const datetimePattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?$/i;

function parseDatetime(datetime: string): number {
  const [, date, time, fraction = '', offset] = datetimePattern.exec(datetime) ?? [];
  const example = '"2030-12-24T18:00:00+01:00" or "2030-12-24T17:00:00Z"';
  if (date === undefined || time === undefined) {
    throw refusal(`${quotedValue(datetime)} is not an ISO 8601 date and time.`, example);
  }
  if (offset === undefined) {
    throw refusal(`${quotedValue(datetime)} has no offset: say how far it is from UTC, or Z for UTC itself.`, example);
  }
  const offsetMs = parseOffset(offset);
  if (offsetMs === undefined) throw refusal(`${quotedValue(offset)} is not an offset from UTC.`, example);
  return parseDate(date) + parseTime(time) + Math.floor(Number(`0${fraction}`) * 1000) - offsetMs;
}

function parseOffset(offset: string): number | undefined {
  if (/^z$/i.test(offset)) return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (minutes > 59 || hours * 60 + minutes > 14 * 60) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Midnight of that day, as if in UTC. */
function parseDate(date: string): number {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // `Date` would turn February 30 into a day of March.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  if (!isDay) throw refusal(`${quotedValue(date)} is not a day: write year, month and day.`, '"2030-12-24"');
  return midnight;
}

function parseTime(time: string): number {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(time);
  if (!parts) throw refusal(`${quotedValue(time)} is not a time of day: write hours (00-23) and minutes.`, '"18:00"');
  const [, hours, minutes, seconds = 0] = parts;
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000;
}
