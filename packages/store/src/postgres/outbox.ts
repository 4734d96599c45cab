// The outbox of a PostgreSQL schema as a change feed. Numbers are given out before transactions commit,
// so they are not the order of commits, and a slow transaction would be skipped by "larger than the
// last". A position in this feed is therefore a snapshot: changes that were not visible in it are new.
import type { ChangeFeed, ChangeReader, Clock, Log, Timer, Want } from '@tidings/live';
import { Rerun, every } from '@tidings/live/time';
import { z } from 'zod';
import { IsolatedReader } from '../isolated-reader.ts';
import type { BusWake } from './bus-wake.ts';
import { isAway } from './explain.ts';
import type { FeedConnection } from './feed-connection.ts';
import { type OutboxPosition, cursorOf, parseCursor } from './outbox-position.ts';

export const createOutbox = [
  `create table outbox (
    seq bigserial primary key, xid xid8 not null default pg_current_xact_id(), topics text not null, at timestamptz not null default now())`,
  'create index outbox_by_transaction on outbox (xid, seq)',
  // The newest transaction whose changes were deleted: a position from before its commit has a gap.
  'create table outbox_cleared (only_row boolean primary key default true, xid xid8 not null)',
];

const readNewest = `
  select pg_current_snapshot()::text as snapshot, coalesce(seq, 0)::text as seq, coalesce(xid, '0')::text as xid
  from (values (0)) always left join (select seq, xid from outbox order by seq desc limit 1) newest on true`;

// One statement, so that the rows and the snapshot they were read with belong together. Numbers above
// the last one seen count as new too: after a crash transaction ids can repeat. Ids above this server's own
// come from a dump of another server and are ignored. If the last row seen is missing, the database was
// restored to an earlier state.
const readAfter = `
  with here as (select pg_current_snapshot() as snapshot),
    there as (select $1::pg_snapshot as snapshot)
  select here.snapshot::text as snapshot,
    exists (select from outbox_cleared c
      where c.xid < pg_snapshot_xmax(here.snapshot) and not pg_visible_in_snapshot(c.xid, there.snapshot))
    or ($2::bigint > 0 and not exists (select from outbox where seq = $2 and xid = $3::xid8)) as is_gap,
    new.seq::text as seq, new.xid::text as xid, new.topics
  from here cross join there left join lateral (
    select seq, xid, topics from outbox
    where (xid >= pg_snapshot_xmin(there.snapshot) and xid < pg_snapshot_xmax(here.snapshot)
        and not pg_visible_in_snapshot(xid, there.snapshot))
      or seq > $2
  ) new on true
  order by new.seq`;

const positionSchema = z.object({ snapshot: z.string(), seq: z.string(), xid: z.string() });
const rowsSchema = z.array(
  z.object({
    snapshot: z.string(),
    is_gap: z.boolean(),
    seq: z.string().nullable(),
    xid: z.string().nullable(),
    topics: z.string().nullable(),
  }),
);
const topicsSchema = z.array(z.string());

const backstopMs = 1000;

interface OutboxDeps {
  connection: FeedConnection;
  clock: Clock;
  log: Log;
  bus: BusWake | undefined;
  /** Writes a change that is only an announcement. */
  announce(this: void, topics: readonly string[]): Promise<void>;
}

export class PostgresOutbox implements ChangeFeed {
  readonly #connection: FeedConnection;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #bus: BusWake | undefined;
  readonly #announce: (topics: readonly string[]) => Promise<void>;
  readonly #readers = new Set<ChangeReader>();
  /** Readers that must still get the changes after a position of their own. */
  readonly #newcomers = new Map<ChangeReader, OutboxPosition>();
  #position: OutboxPosition | undefined;
  readonly #reading = new Rerun(() => this.#deliverOnce());
  /** Only with a bus, which subscribes to the wanted topics. */
  readonly want?: (topic: string) => Want;
  #isFailing = false;
  #isClosed = false;
  #backstop: Timer | undefined;

  constructor({ connection, clock, log, bus, announce }: OutboxDeps) {
    this.#connection = connection;
    this.#clock = clock;
    this.#log = log;
    this.#bus = bus;
    this.#announce = announce;
    if (bus) this.want = (topic) => bus.want(topic);
  }

  async open(): Promise<void> {
    this.#position = await this.#end();
    this.#backstop = every(this.#clock, backstopMs, () => void this.deliverNew());
  }

  close(): void {
    this.#isClosed = true;
    this.#backstop?.cancel();
    this.#readers.clear();
    this.#newcomers.clear();
  }

  announce(topics: readonly string[]): Promise<void> {
    return this.#announce(topics);
  }

  follow(reader: ChangeReader, after?: string): () => void {
    const isolated = new IsolatedReader(reader, this.#log);
    const position = after === undefined ? undefined : parseCursor(after);
    if (position) {
      this.#newcomers.set(isolated, position);
      void this.deliverNew();
    } else {
      this.#readers.add(isolated);
      if (after !== undefined) isolated.gap();
    }
    return () => {
      isolated.leave();
      this.#readers.delete(isolated);
      this.#newcomers.delete(isolated);
    };
  }

  /** Delivers everything committed since the last read. Resolves when done. */
  readonly deliverNew = (): Promise<void> => this.#reading.request();

  async #deliverOnce(): Promise<void> {
    try {
      if (this.#position && this.#isIdle) {
        const end = await this.#end();
        // Topics that became wanted meanwhile may have changed before the end.
        if (this.#isIdle) this.#position = end;
      } else if (this.#position) this.#position = await this.#read(this.#position, () => [...this.#readers]);
      for (const [reader, position] of this.#newcomers) {
        await this.#replay(reader, position);
        // The next read may deliver some changes again, but none is lost in between.
        if (this.#newcomers.delete(reader)) this.#readers.add(reader);
      }
      this.#isFailing = false;
    } catch (error) {
      // Positions are unchanged: the next read delivers these changes.
      if (!this.#isFailing && !this.#isClosed)
        this.#log.warn({ err: error }, 'The outbox could not be read; trying again.');
      this.#isFailing = true;
    }
  }

  /** Whether nothing needs to be read: all readers are selective, and nothing is wanted. */
  get #isIdle(): boolean {
    if (this.#bus === undefined || this.#bus.isWanted) return false;
    for (const { isSelective } of this.#readers) if (!isSelective) return false;
    return true;
  }

  async #replay(reader: ChangeReader, position: OutboxPosition): Promise<void> {
    try {
      await this.#read(position, () => [reader]);
    } catch (error) {
      if (isAway(error)) throw error;
      // This server cannot have returned such a position.
      reader.gap();
    }
  }

  /**
   * Delivers everything after `position`, or a gap where it is not known any more; returns the new position. `readers` is
   * called after the query: a reader that was added during it must not miss what the query found.
   */
  async #read(position: OutboxPosition, readers: () => readonly ChangeReader[]): Promise<OutboxPosition> {
    const rows = rowsSchema.parse(
      await this.#connection.query(readAfter, [position.snapshot, position.seq, position.xid]),
    );
    const [first] = rows;
    if (first === undefined) return position;
    if (first.is_gap) {
      const end = await this.#end();
      for (const reader of readers()) reader.gap();
      return end;
    }
    const fresh = rows.flatMap(({ seq, xid, topics }) =>
      seq === null || xid === null || topics === null ? [] : [{ seq, xid, topics }],
    );
    const last = fresh.at(-1);
    // A row with a lower number that was committed late does not move the position back.
    const { seq, xid } = last && BigInt(last.seq) > BigInt(position.seq) ? last : position;
    const next = { snapshot: first.snapshot, seq, xid };
    const current = readers();
    for (const row of fresh) {
      // Rows of one read share a snapshot: resuming after one of them, but the last, repeats all of them.
      const cursor = cursorOf(row === last ? next : position);
      const change = { cursor, topics: topicsSchema.parse(JSON.parse(row.topics)) };
      for (const reader of current) reader.change(change);
    }
    return next;
  }

  async #end(): Promise<OutboxPosition> {
    const [newest] = await this.#connection.query(readNewest);
    return positionSchema.parse(newest);
  }
}
