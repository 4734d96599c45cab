// Cron expressions of five fields, read in a time zone.
//
// When clocks change: a schedule of one time a day fires every day and once. A time that the clocks skip
// (02:30 when they go from 02:00 to 03:00) fires at the end of the gap, at 03:00; one that comes twice
// fires the first time. Schedules of several times (`*/30 * * * *`, `0,30 2 * * *`) follow local
// time: skipped times do not come, and repeated ones come twice.
import { counted } from '@tidings/live/portable';
import { Cron } from 'croner';
import { quotedValue, refusal } from './refusal.ts';
import { checkTimezone, isSameZone } from './timezone.ts';
import { momentOfWallTime, wallTimeAt } from './wall-time.ts';

interface CronInZone {
  cron: string;
  timezone: string;
}

const fields = [
  { name: 'minute', range: '0-59' },
  { name: 'hour', range: '0-23' },
  { name: 'day of month', range: '1-31' },
  { name: 'month', range: '1-12 or JAN-DEC' },
  { name: 'day of week', range: '0-7 or SUN-SAT' },
];
const longest = 256;
const dayMs = 86_400_000;
const example = '"30 9 * * 1-5" is 09:30 from Monday to Friday';

/** Refuses an expression that is invalid or never fires. The zone may also be a prefix: `CRON_TZ=Zone`. */
export function checkCron(cron: string, timezone?: string): CronInZone {
  if (cron.length > longest) throw refusal(`A cron expression has at most ${longest} characters.`, example);
  const [, prefix, expression = ''] = /^\s*(?:CRON_TZ=(\S*)\s)?(.*)$/s.exec(cron) ?? [];
  const zone = chooseZone(prefix, timezone);
  const parts = expression.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== fields.length) throw wrongCount(cron, parts.length);
  const wrong = fields.filter((_field, index) => !isReadable(only(parts, index)));
  if (wrong.length > 0) {
    const problems = wrong.map(
      (field) => `${field.name} ${quotedValue(parts[fields.indexOf(field)] ?? '')} (${field.range})`,
    );
    throw refusal(`${quotedValue(cron)} is not a cron expression: wrong ${problems.join(', ')}.`, example);
  }
  const checked = { cron: parts.join(' '), timezone: zone };
  // Any start will do: even a leap day occurs within eight years.
  if (nextOccurrence(checked.cron, zone, new Date(0)) === undefined) {
    throw refusal(`${quotedValue(cron)} would never fire: there is no such day in that month.`, example);
  }
  return checked;
}

/** The first occurrence after this moment. */
export function nextOccurrence(cron: string, timezone: string, after: Date): Date | undefined {
  if (!isOnceADay(cron)) return read(cron, timezone).nextRun(after) ?? undefined;
  const inLocalTime = read(cron, 'UTC');
  const local = new Date(wallTimeAt(after.getTime(), timezone));
  for (let run = inLocalTime.nextRun(local); run; run = inLocalTime.nextRun(run)) {
    const moment = new Date(momentOfWallTime(run.getTime(), timezone));
    if (moment > after) return moment;
  }
  return undefined;
}

/** The last occurrence up to this moment, itself included. */
export function lastOccurrence(cron: string, timezone: string, until: Date): Date | undefined {
  if (!isOnceADay(cron)) return latest(read(cron, timezone).previousRuns(1, new Date(until.getTime() + 1000)), until);
  // In a repeated hour, an occurrence up to this moment may have a later local time; the third run is a day older.
  const local = new Date(wallTimeAt(until.getTime(), timezone) + dayMs);
  const runs = read(cron, 'UTC').previousRuns(3, local);
  return latest(
    runs.map((run) => new Date(momentOfWallTime(run.getTime(), timezone))),
    until,
  );
}

/** `moments`: the latest first. */
function latest(moments: readonly Date[], until: Date): Date | undefined {
  return moments.find((moment) => moment <= until);
}

/** Its local times are then converted to moments here: croner misses a time that is skipped until midnight. */
function isOnceADay(cron: string): boolean {
  return /^\d+ \d+ /.test(cron);
}

function read(cron: string, timezone: string): Cron {
  return new Cron(cron, { timezone, mode: '5-part' });
}

function chooseZone(prefix: string | undefined, timezone: string | undefined): string {
  const given = timezone === undefined ? undefined : checkTimezone(timezone);
  if (prefix === undefined) {
    if (given === undefined) throw refusal('A cron schedule needs a time zone.', 'timezone "Europe/Oslo"');
    return given;
  }
  const zone = checkTimezone(prefix);
  if (given !== undefined && !isSameZone(zone, given)) {
    throw refusal(
      `The expression says CRON_TZ=${zone} and the timezone is ${given}: give one of them.`,
      'cron "0 9 * * *" with timezone "Europe/Oslo"',
    );
  }
  return given ?? zone;
}

function wrongCount(cron: string, count: number): Error {
  const names = fields.map(({ name }) => name).join(', ');
  const hint = count === 6 ? ' Seconds cannot be given.' : '';
  return refusal(
    `${quotedValue(cron)} has ${counted(count, 'field')}, and a cron expression has five: ${names}.${hint}`,
    example,
  );
}

function only(parts: readonly string[], index: number): string {
  return fields.map((_field, each) => (each === index ? parts[each] : '*')).join(' ');
}

function isReadable(cron: string): boolean {
  try {
    read(cron, 'UTC');
    return true;
  } catch {
    return false;
  }
}
