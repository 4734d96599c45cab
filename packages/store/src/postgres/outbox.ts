// The outbox of a PostgreSQL schema as a change feed. Numbers are given out before transactions commit,
// so they are not the order of commits, and a slow transaction would be skipped by "larger than the
// last". A place in this feed is therefore a snapshot: what it could not see is new.
import type { ChangeFeed, ChangeReader, Clock, Log, Timer } from '@tidings/live';
import type { Pool } from 'pg';
import { z } from 'zod';

export const createOutbox = [
  `create table if not exists outbox (
    seq bigserial primary key, xid xid8 not null default pg_current_xact_id(), topics text not null, at timestamptz not null default now())`,
  'create index if not exists outbox_by_transaction on outbox (xid, seq)',
  // The newest transaction whose changes were cleared away: a place that cannot see it has a gap.
  'create table if not exists outbox_cleared (only_row boolean primary key default true, xid xid8 not null)',
];

const rowsSchema = z.array(
  z.object({
    snapshot: z.string(),
    is_gap: z.boolean(),
    seq: z.string().nullable(),
    topics: z.string().nullable(),
  }),
);
const topicsSchema = z.array(z.string());

// One statement, so that the rows and the snapshot they were read with belong together. After a
// reconnect, numbers above the last one seen count as new too: a crash can give transaction ids twice.
const readAfter = `
  with here as (select pg_current_snapshot() as snapshot),
    there as (select $1::pg_snapshot as snapshot)
  select here.snapshot::text as snapshot,
    pg_snapshot_xmax(there.snapshot) > pg_snapshot_xmax(here.snapshot)
      or exists (select from outbox_cleared c where not pg_visible_in_snapshot(c.xid, there.snapshot)) as is_gap,
    new.seq::text as seq, new.topics
  from here cross join there left join lateral (
    select seq, topics from outbox
    where (xid >= pg_snapshot_xmin(there.snapshot) and not pg_visible_in_snapshot(xid, there.snapshot)) or seq > $2
  ) new on true
  order by new.seq`;

const backstopMs = 1000;
const never = '9223372036854775807';

export class PostgresOutbox implements ChangeFeed {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #announce: (topics: readonly string[]) => void;
  readonly #readers = new Set<ChangeReader>();
  #place = '';
  #lastSeq = '0';
  #isRecovering = false;
  /** Looks and replays run one after the other. */
  #work: Promise<void> = Promise.resolve();
  #isLookDue = false;
  #backstop: Timer | undefined;

  constructor(pool: Pool, clock: Clock, log: Log, announce: (topics: readonly string[]) => void) {
    this.#pool = pool;
    this.#clock = clock;
    this.#log = log;
    this.#announce = announce;
  }

  async open(): Promise<void> {
    const { rows } = await this.#pool.query(
      'select pg_current_snapshot()::text as snapshot, coalesce((select max(seq) from outbox), 0)::text as seq',
    );
    const [here] = z.array(z.object({ snapshot: z.string(), seq: z.string() })).parse(rows);
    this.#place = here?.snapshot ?? '';
    this.#lastSeq = here?.seq ?? '0';
    this.#lookAgain();
  }

  close(): void {
    this.#backstop?.cancel();
    this.#readers.clear();
  }

  announce(topics: readonly string[]): void {
    this.#announce(topics);
  }

  follow(reader: ChangeReader, after?: string): () => void {
    if (after === undefined) this.#readers.add(reader);
    else this.#enqueue(() => this.#replay(reader, after));
    return () => this.#readers.delete(reader);
  }

  /** Delivers what has been committed since the last look. Calls while one is waiting are one look. */
  readonly look = (): Promise<void> => {
    if (!this.#isLookDue) {
      this.#isLookDue = true;
      this.#enqueue(async () => {
        this.#isLookDue = false;
        const { place, lastSeq } = await this.#read(this.#place, this.#isRecovering ? this.#lastSeq : never, [
          ...this.#readers,
        ]);
        this.#place = place;
        this.#lastSeq = lastSeq ?? this.#lastSeq;
        this.#isRecovering = false;
      });
    }
    return this.#work;
  };

  async #replay(reader: ChangeReader, after: string): Promise<void> {
    // Followed first: what is committed from here on may be told twice, but not missed.
    this.#readers.add(reader);
    if (/^\d+:\d+:[\d,]*$/.test(after)) await this.#read(after, never, [reader]);
    else reader.gap();
  }

  async #read(place: string, aboveSeq: string, readers: readonly ChangeReader[]) {
    const result = await this.#pool.query(readAfter, [place, aboveSeq]);
    const rows = rowsSchema.parse(result.rows);
    const [first] = rows;
    const next = first?.snapshot ?? place;
    const fresh = rows.flatMap(({ seq, topics }) => (seq !== null && topics !== null ? [{ seq, topics }] : []));
    if (first?.is_gap) {
      for (const reader of readers) reader.gap();
    } else {
      for (const [index, { topics }] of fresh.entries()) {
        // A place in the middle of what was read together is before all of it.
        const cursor = index === fresh.length - 1 ? next : place;
        const change = { cursor, topics: topicsSchema.parse(JSON.parse(topics)) };
        for (const reader of readers) reader.change(change);
      }
    }
    return { place: next, lastSeq: fresh.at(-1)?.seq };
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      // The place is unchanged: the next look finds what this one did not.
      this.#isRecovering = true;
      this.#log.warn({ error }, 'The outbox could not be read; trying again.');
    });
  }

  #lookAgain(): void {
    this.#backstop = this.#clock.after(backstopMs, () => {
      void this.look();
      this.#lookAgain();
    });
  }
}
