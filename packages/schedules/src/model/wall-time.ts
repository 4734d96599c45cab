// Converts between moments and the local time of a time zone. A local time is represented as the moment at which UTC
// shows it.

const dayMs = 86_400_000;

/** The local time at this moment. */
export function wallTimeAt(moment: number, zone: string): number {
  return wallClock(zone)(moment);
}

/**
 * The moment of this local time. For a time that occurs twice, when clocks go back: the first of the two, or the second
 * if only that is later than `since`. For a skipped one, when they go forward: the end of the gap.
 */
export function momentOfWallTime(wallTime: number, zone: string, since = Number.NEGATIVE_INFINITY): number {
  const clock = wallClock(zone);
  const offsetAt = (moment: number) => clock(moment) - moment;
  const before = offsetAt(wallTime - dayMs);
  const after = offsetAt(wallTime + dayMs);
  const [first, second] = [before, after].map((offset) => wallTime - offset).sort((a, b) => a - b);
  if (first === undefined || second === undefined) return wallTime;
  const occurrences = [first, second].filter((moment) => clock(moment) === wallTime);
  const [earliest] = occurrences;
  if (earliest !== undefined) return occurrences.find((moment) => moment > since) ?? earliest;
  return firstBetween(first, second, (moment) => offsetAt(moment) !== before);
}

/** The first moment for which `holds` is true; it stays true from then on. */
function firstBetween(from: number, to: number, holds: (moment: number) => boolean): number {
  let [no, yes] = [from, to];
  while (yes - no > 1) {
    const middle = Math.floor((no + yes) / 2);
    if (holds(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

function wallClock(zone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (moment) => {
    const shown = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => shown.get(name) ?? 0;
    const whole = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return whole + (((moment % 1000) + 1000) % 1000);
  };
}
