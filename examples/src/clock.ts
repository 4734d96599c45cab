// A clock: the time in any time zone, changing every second. Whoever watches which zone, a second
// costs one announcement of one topic, and nothing more while nobody watches.
import { type Clock, type LiveServer, liveServer, notFound, systemClock } from '@tidings/live';

export function createClock(clock: Clock = systemClock): { server: LiveServer; close: () => void } {
  const server = liveServer({ name: 'clock', version: '1.0.0' });

  server.resource('clock://now{/zone}', {
    title: 'The time',
    description: 'The time in UTC, or in the time zone at the end of the URI, such as Europe%2FOslo.',
    read: ({ zone = 'UTC' }) => ({ zone, time: timeIn(zone, clock.date()) }),
    list: () => [[{}, { name: 'UTC' }]],
    complete: { zone: (prefix) => zonesLike(prefix) },
    topics: () => ['second'],
  });

  let timer = nextSecond();
  function nextSecond() {
    return clock.after(1000 - (clock.date() % 1000), () => {
      server.announce('second');
      timer = nextSecond();
    });
  }
  return { server, close: () => timer.cancel() };
}

/** As in `2026-07-28 14:05:09 GMT+02:00`: the Swedish way of writing a date is the ISO one. */
function timeIn(timeZone: string, date: number): string {
  try {
    return new Date(date).toLocaleString('sv-SE', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return notFound(`There is no time zone "${timeZone}": use a name such as Europe/Oslo.`);
  }
}

/** Zones are looked for by any of their parts: "os" finds Europe/Oslo. */
function zonesLike(prefix: string): string[] {
  const wanted = prefix.toLowerCase();
  const zones = Intl.supportedValuesOf('timeZone');
  return zones.filter((zone) => `/${zone}`.toLowerCase().includes(`/${wanted}`));
}
