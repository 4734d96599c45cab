// What the embedded backend keeps. Schedules and one-offs share a table, `entry`: what is due next is
// then one look into one index, and a topic one query.
import type { Migration, Store, Writing } from '@tidings/store';
import type { Delivery } from '../../model/schedule.ts';

export type ScheduleStore = Store<Tables>;
export type ScheduleWriting = Writing<Tables>;

export interface Tables {
  topic: TopicRow;
  entry: EntryRow;
  delivery: DeliveryRow;
}

/** A topic that has entries. Its row is also the lock for adding and removing entries. */
interface TopicRow {
  name: string;
  entries: number;
}

/** A schedule, or, without a cron expression, a one-off. Moments are milliseconds since the epoch. */
export interface EntryRow {
  id: string;
  topic: string;
  body: string;
  cron: string | null;
  timezone: string | null;
  label: string | null;
  created: number;
  paused: number;
  /** When it is due; null while paused, and for a one-off whose time has come. */
  next: number | null;
  /** The last occurrence, and how it went. */
  last: number | null;
  last_status: Delivery['status'] | null;
  last_at: number | null;
  last_reason: string | null;
  last_again: number;
  /** When `next` was computed, by the clock of then: in the future, that clock was ahead. */
  set_at: number;
  /** Occurrences that were fired, as JSON; see `model/fired.ts`. */
  fired: string | null;
}

/** An occurrence that a process claimed and that has neither been delivered nor given up. */
interface DeliveryRow {
  entry_id: string;
  occurrence: number;
  tries: number;
  /** An earlier claim ended without a result. */
  again: number;
  /** What came before it and was missed. */
  note: string | null;
  /** The owner of the claim. Null while it waits to be tried again. */
  owner: string | null;
  /** When it is to be tried again, or when the owner is no longer waited for. */
  due: number;
  /** When `due` was computed, by the clock of then. */
  set_at: number;
}

// Moments are floating-point numbers, in which milliseconds are exact for longer than calendars reach:
// 64-bit integers come back as text from one engine and as numbers from the other.
export const migrations: readonly Migration[] = [
  {
    name: 'schedules',
    up: async ({ run }) => {
      await run('create table topic (name text primary key, entries integer not null)');
      await run(`
        create table entry (
          id text primary key,
          topic text not null,
          body text not null,
          cron text,
          timezone text,
          label text,
          created double precision not null,
          paused integer not null default 0,
          next double precision,
          last double precision,
          last_status text,
          last_at double precision,
          last_reason text,
          last_again integer not null default 0)`);
      await run('create index entry_by_topic on entry (topic, created, id)');
      await run('create index entry_by_next on entry (next) where next is not null');
      await run(`
        create table delivery (
          entry_id text not null references entry (id) on delete cascade,
          occurrence double precision not null,
          tries integer not null,
          again integer not null,
          note text,
          owner text,
          due double precision not null,
          primary key (entry_id, occurrence))`);
      await run('create index delivery_by_due on delivery (due)');
    },
  },
  {
    name: 'clocks that jump',
    up: async ({ run }) => {
      // By which clock the old ones were computed is not known: a time in the far future has them computed again.
      await run('alter table entry add column set_at double precision not null default 8.64e15');
      await run('alter table entry add column fired text');
      await run('alter table delivery add column set_at double precision not null default 0');
      await run('create index entry_by_set_at on entry (set_at)');
      await run('create index delivery_by_set_at on delivery (set_at)');
      await run(`create index entry_missed on entry (last) where cron is null and last_status = 'missed'`);
    },
  },
];
