// A point in time from RFC 3339 text with any offset.

const pattern =
  /^\d{4}-\d{2}-\d{2}[T ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/i;

/**
 * Microseconds since the epoch; finer fractions are cut off. Text without an offset counts as UTC. Exact up
 * to the year 2255; later ones are numbers too, but near ones may become equal.
 */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const found = pattern.exec(value);
  if (found === null) return undefined;
  const midnight = midnightOf(numberAt(value, 0, 4), numberAt(value, 5, 2), numberAt(value, 8, 2));
  if (midnight === undefined) return undefined;
  const [, fraction, offset] = found;
  const sinceMidnight = (numberAt(value, 11, 2) * 60 + numberAt(value, 14, 2)) * 60 + numberAt(value, 17, 2);
  const wholeSeconds = midnight / 1000 + sinceMidnight - (offset === undefined ? 0 : secondsOf(offset));
  return wholeSeconds * 1_000_000 + (fraction === undefined ? 0 : Number(fraction.slice(0, 6).padEnd(6, '0')));
}

/** Undefined for a day that does not exist: `Date` would return a day of the next month. */
function midnightOf(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1) return undefined;
  // `Date.UTC` reads a year below 100 as 1900 plus that year.
  const midnight = year < 100 ? new Date(0).setUTCFullYear(year, month - 1, day) : Date.UTC(year, month - 1, day);
  return day <= 28 || new Date(midnight).getUTCDate() === day ? midnight : undefined;
}

/** Parses digits that were already checked. */
function numberAt(text: string, at: number, digits: number): number {
  let number = 0;
  for (let index = at; index < at + digits; index += 1) number = number * 10 + text.charCodeAt(index) - 48;
  return number;
}

/** Whether a time has an offset from UTC, after the seconds or their fraction. */
export function hasOffset(time: string): boolean {
  return /^(?:\.\d+)?[Z+-]/i.test(time.slice('2025-10-14T10:30:00'.length));
}

function secondsOf(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -60 : 60) * minutes;
}
