// A point in time from RFC 3339 text, whatever offset it was written with.

const pattern =
  /^(\d{4}-\d{2}-\d{2})[T ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/i;

/**
 * Microseconds since the epoch; finer fractions are cut off. Text without an offset counts as UTC. Exact up
 * to the year 2255; later ones are numbers too, but near ones may become equal.
 */
export function momentOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [, date, hours, minutes, seconds, fraction = '', offset = 'Z'] = pattern.exec(value) ?? [];
  if (date === undefined) return undefined;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight)) return undefined;
  // A 30th of February would be read as one of March; up to the 28th every month has all its days.
  if (Number(date.slice(8)) > 28 && !new Date(midnight).toISOString().startsWith(date)) return undefined;
  const sinceMidnight = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const wholeSeconds = midnight / 1000 + sinceMidnight - secondsOf(offset);
  return wholeSeconds * 1_000_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
}

/** Whether a text that is a time says how far it is from UTC. */
export function hasOffset(time: string): boolean {
  return /:.*(?:Z|[+-]\d{2}:?\d{2})$/i.test(time);
}

function secondsOf(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -60 : 60) * minutes;
}
