// The tables of the embedded backend. Schedules and one-offs share the table `entry`, so that the next due time is one
// index lookup, and a topic is one query.
import type { Migration, Store, Writing } from '@tidings/store';
import type { Generated } from 'kysely';
import type { DeadLetter, HistoryEvent } from '../../model/history.ts';
import type { Delivery } from '../../model/schedule.ts';

export type ScheduleStore = Store<ScheduleTables>;
export type ScheduleWriting = Writing<ScheduleTables>;

export interface ScheduleTables {
  topic: TopicRow;
  entry: EntryRow;
  delivery: DeliveryRow;
  history: HistoryRow;
  dead_letter: DeadLetterRow;
}

/** A topic with entries. Its row is also the lock for adding and removing entries. */
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
  /** When it is due; null while paused, and for a one-off that was fired or missed. */
  next: number | null;
  /** The last occurrence and its outcome. */
  last: number | null;
  last_status: Delivery['status'] | null;
  last_at: number | null;
  last_reason: string | null;
  last_again: number;
  /** When `next` was computed. If it is in the future, the clock was ahead. */
  set_at: number;
  /** Occurrences that were fired, as JSON; see `model/fired.ts`. */
  fired: string | null;
  /** The name of its destination, and the number of attempts; null: those of the topic. */
  destination: string | null;
  tries: number | null;
}

/** An occurrence that a process has claimed, not yet delivered or given up. */
interface DeliveryRow {
  entry_id: string;
  occurrence: number;
  tries: number;
  /** An earlier claim ended without a result. */
  again: number;
  /** A note about missed occurrences before it, or that it was sent before the clock was set back. */
  note: string | null;
  /** The owner of the claim; null while it waits for a retry. */
  owner: string | null;
  /** When it is retried, or when the owner's lease ends. */
  due: number;
  /** When `due` was computed. */
  set_at: number;
}

/** A history entry. It is kept when its schedule is deleted. */
export interface HistoryRow {
  /** Only compared, never read: one engine returns it as text. */
  seq: Generated<number>;
  topic: string;
  at: number;
  event: HistoryEvent;
  entry_id: string | null;
  by: string;
  occurrence: number | null;
  body: string | null;
  destination: string | null;
  tries: number | null;
  reason: string | null;
  again: number;
}

/** A notification that was given up. It is kept when its schedule is deleted; that of a one-off is deleted with it. */
export interface DeadLetterRow {
  id: string;
  topic: string;
  entry_id: string | null;
  body: string;
  destination: string | null;
  tries: number | null;
  occurrence: number;
  status: DeadLetter['status'];
  reason: string;
  at: number;
}

// Times are floating-point numbers, which are exact for milliseconds: 64-bit integers are returned as text by one
// engine and as numbers by the other.
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
      // It is unknown whether the clock was right when old values were computed: a time in the far future causes a
      // recomputation.
      await run('alter table entry add column set_at double precision not null default 8.64e15');
      await run('alter table entry add column fired text');
      await run('alter table delivery add column set_at double precision not null default 0');
      await run('create index entry_by_set_at on entry (set_at)');
      await run('create index delivery_by_set_at on delivery (set_at)');
      await run(`create index entry_missed on entry (last) where cron is null and last_status = 'missed'`);
    },
  },
  {
    name: 'history and destinations',
    up: async ({ engine, run }) => {
      await run('alter table entry add column destination text');
      await run('alter table entry add column tries integer');
      const seq =
        engine === 'sqlite' ? 'integer primary key autoincrement' : 'bigint generated always as identity primary key';
      await run(`
        create table history (
          seq ${seq},
          topic text not null,
          at double precision not null,
          event text not null,
          entry_id text,
          by text not null,
          occurrence double precision,
          body text,
          destination text,
          tries integer,
          reason text,
          again integer not null default 0)`);
      await run('create index history_by_topic on history (topic, seq)');
      await run(`
        create table dead_letter (
          id text primary key,
          topic text not null,
          entry_id text,
          body text not null,
          destination text,
          tries integer,
          occurrence double precision not null,
          status text not null,
          reason text not null,
          at double precision not null)`);
      await run('create index dead_letter_by_topic on dead_letter (topic, at, id)');
      await run('create index dead_letter_by_entry on dead_letter (entry_id)');
    },
  },
];
