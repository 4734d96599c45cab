// A clock: the time in any time zone, changing every second. It ticks while a zone is watched; a tick announces one
// topic, with any number of watched zones.
import { type Clock, type LiveServer, type Log, type Timer, liveServer, notFound, systemClock } from '@tidings/live';

export function createClock(clock: Clock = systemClock, options: { log?: Log } = {}): LiveServer {
  const server = liveServer({ name: 'clock', version: '1.0.0', ...options });

  server.resource('clock://now{/zone}', {
    title: 'The time',
    description: 'The time in UTC, or in the time zone at the end of the URI, such as Europe%2FOslo.',
    read: ({ zone = 'UTC' }) => ({ zone, time: timeIn(zone, clock.date()) }),
    list: () => [[{}, { name: 'UTC' }]],
    complete: { zone: (prefix) => zonesLike(prefix) },
    topics: () => ['second'],
    watch: () => startTicking(),
  });

  let watchers = 0;
  let timer: Timer | undefined;

  function startTicking(): () => void {
    watchers += 1;
    timer ??= nextSecond();
    return () => {
      watchers -= 1;
      if (watchers > 0) return;
      timer?.cancel();
      timer = undefined;
    };
  }

  function nextSecond(): Timer {
    return clock.after(1000 - (clock.date() % 1000), () => {
      server.announce('second');
      timer = nextSecond();
    });
  }
  return server;
}

/** For example `2026-07-28 14:05:09 GMT+02:00`; Swedish dates are written as in ISO 8601. */
function timeIn(timeZone: string, date: number): string {
  try {
    return new Date(date).toLocaleString('sv-SE', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return notFound(`There is no time zone "${timeZone}": use a name such as Europe/Oslo.`);
  }
}

/** Finds zones by any of their parts: "os" finds Europe/Oslo. */
function zonesLike(prefix: string): string[] {
  const wanted = prefix.toLowerCase();
  const zones = Intl.supportedValuesOf('timeZone');
  return zones.filter((zone) => `/${zone}`.toLowerCase().includes(`/${wanted}`));
}
