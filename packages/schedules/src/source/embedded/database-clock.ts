// The time of the database, for processes that share one: they fire the same schedules, so a wrong clock of one machine
// must not make them early, late or missed. Of this machine only the monotonic clock is used, for the time that has
// passed since the database was last asked.
import { type Clock, type Log, systemClock } from '@tidings/live';
import { every } from '@tidings/live/time';
import { sql } from 'kysely';
import type { ScheduleStore } from './tables.ts';

/** Clocks of two machines that run freely differ by less than a millisecond after this time. */
const askMs = 10_000;

interface DatabaseClock extends Clock {
  close(): void;
}

export async function openDatabaseClock(
  { db }: Pick<ScheduleStore, 'db'>,
  log: Log,
  clock: Clock = systemClock,
): Promise<DatabaseClock> {
  let ahead = await askAhead(db, clock);
  let isFailing = false;
  const ask = async () => {
    try {
      ahead = await askAhead(db, clock);
      isFailing = false;
    } catch (error) {
      // Until the database answers again, the time is extrapolated.
      if (!isFailing) log.warn({ err: error }, 'The time of the database could not be read; trying again.');
      isFailing = true;
    }
  };
  const asking = every(clock, askMs, () => void ask());
  return {
    now: () => clock.now(),
    date: () => Math.round(clock.now() + ahead),
    defer: (task) => clock.defer(task),
    after: (ms, task) => clock.after(ms, task),
    close: () => asking.cancel(),
  };
}

/** The difference between the database's date and the monotonic clock of this process. */
async function askAhead(db: ScheduleStore['db'], clock: Clock): Promise<number> {
  const asked = clock.now();
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The database has answered without its time.');
  return row.ms - (asked + clock.now()) / 2;
}
