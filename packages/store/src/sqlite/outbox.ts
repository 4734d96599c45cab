// The outbox of a SQLite file as a change feed. With `begin immediate` the numbers of its rows are in
// the order of their commits, without holes, so a position in the feed is a row; its time tells it from
// the row of that number in a file that was restored from a backup and changed differently since.
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { ChangeFeed, ChangeReader, Log } from '@tidings/live';
import { z } from 'zod';
import { IsolatedReader } from '../isolated-reader.ts';
import { type OutboxPosition, cursorOf, parseCursor } from './outbox-position.ts';

export const createOutbox = `
  create table if not exists outbox (seq integer primary key autoincrement, topics text not null, at integer not null)`;

const start: OutboxPosition = { seq: 0, at: 0 };

const positionSchema = z.object({ seq: z.number(), at: z.number() });
const rowsSchema = z.array(positionSchema.extend({ topics: z.string() }));
const topicsSchema = z.array(z.string());
const versionSchema = z.object({ data_version: z.number() });

const pageSize = 500;

export class SqliteOutbox implements ChangeFeed {
  readonly #version: StatementSyncInstance;
  readonly #newest: StatementSyncInstance;
  readonly #from: StatementSyncInstance;
  readonly #announce: (topics: readonly string[]) => Promise<void>;
  readonly #log: Log;
  readonly #readers = new Set<ChangeReader>();
  #position: OutboxPosition;
  #seenVersion = -1;
  #isDelivering = false;
  #isFailing = false;

  /** `database` is a connection that never writes, so that every commit is one of another connection to it. */
  constructor(database: DatabaseSyncInstance, log: Log, announce: (topics: readonly string[]) => Promise<void>) {
    this.#version = database.prepare('pragma data_version');
    this.#newest = database.prepare('select seq, at from outbox order by seq desc limit 1');
    this.#from = database.prepare(`select seq, at, topics from outbox where seq >= ? order by seq limit ${pageSize}`);
    this.#announce = announce;
    this.#log = log;
    this.#position = this.#end();
  }

  announce(topics: readonly string[]): Promise<void> {
    return this.#announce(topics);
  }

  follow(reader: ChangeReader, after?: string): () => void {
    const isolated = new IsolatedReader(reader, this.#log);
    this.deliverNew();
    if (after !== undefined) this.#replay(isolated, after);
    this.#readers.add(isolated);
    return () => {
      isolated.leave();
      this.#readers.delete(isolated);
    };
  }

  /** Delivers changes committed since the last read. After a failure the next read delivers them. */
  deliverNew(): void {
    // A reader that is called here may call `follow`, and so `deliverNew`, again.
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      const { data_version } = versionSchema.parse(this.#version.get());
      if (data_version === this.#seenVersion) return;
      this.#read(
        this.#position,
        () => [...this.#readers],
        (position) => (this.#position = position),
      );
      this.#seenVersion = data_version;
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.error({ err: error }, 'The outbox could not be read; trying again.');
      this.#isFailing = true;
    } finally {
      this.#isDelivering = false;
    }
  }

  /** Reports a gap to all readers. */
  gap(): void {
    for (const reader of this.#readers) reader.gap();
  }

  #replay(reader: ChangeReader, after: string): void {
    const position = parseCursor(after);
    try {
      if (position) this.#read(position, () => [reader]);
      else reader.gap();
    } catch (error) {
      this.#log.error({ err: error }, 'The outbox could not be read for a new reader.');
      reader.gap();
    }
  }

  /**
   * Delivers everything after `position`, or a gap where it is not known any more. `readers` is called after each query:
   * a reader that one of them adds must not miss what later queries find.
   */
  #read(
    position: OutboxPosition,
    readers: () => readonly ChangeReader[],
    reached?: (position: OutboxPosition) => void,
  ): void {
    for (let here = position; ;) {
      const rows = this.#after(here);
      const current = readers();
      if (rows === undefined) {
        here = this.#end();
        for (const reader of current) reader.gap();
      }
      for (const { seq, at, topics } of rows ?? []) {
        here = { seq, at };
        const change = { cursor: cursorOf(here), topics: topicsSchema.parse(JSON.parse(topics)) };
        for (const reader of current) reader.change(change);
      }
      reached?.(here);
      if (rows === undefined || rows.length < pageSize - 1) return;
    }
  }

  /** A page of rows after `position`. It is read with the row of the position itself, which shows that none is missing. */
  #after(position: OutboxPosition) {
    const rows = rowsSchema.parse(this.#from.all(position.seq));
    const [first] = rows;
    if (position.seq === start.seq) return first === undefined || first.seq === 1 ? rows : undefined;
    return first?.seq === position.seq && first.at === position.at ? rows.slice(1) : undefined;
  }

  #end(): OutboxPosition {
    return positionSchema.optional().parse(this.#newest.get()) ?? start;
  }
}
