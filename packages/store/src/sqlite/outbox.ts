// The outbox of a SQLite file as a change feed. With `begin immediate` the numbers of its rows are in
// the order of their commits, so a place in the feed is a number.
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Change, ChangeFeed, ChangeReader } from '@tidings/live';
import { z } from 'zod';

export const createOutbox = `
  create table if not exists outbox (seq integer primary key autoincrement, topics text not null, at integer not null)`;

const rowSchema = z.object({ seq: z.number(), topics: z.string() });
const topicsSchema = z.array(z.string());
const boundsSchema = z.object({ first: z.number().nullable(), last: z.number().nullable() });
const versionSchema = z.object({ data_version: z.number() });

const pageSize = 500;

export class SqliteOutbox implements ChangeFeed {
  readonly #version: StatementSyncInstance;
  readonly #bounds: StatementSyncInstance;
  readonly #after: StatementSyncInstance;
  readonly #announce: (topics: readonly string[]) => void;
  readonly #readers = new Set<ChangeReader>();
  #seenVersion = -1;
  #place: number;

  /** `database` is a connection that never writes: it then sees every commit as somebody else's. */
  constructor(database: DatabaseSyncInstance, announce: (topics: readonly string[]) => void) {
    this.#version = database.prepare('pragma data_version');
    // The sequence remembers the last number also when every row has been cleared away.
    this.#bounds = database.prepare(`
      select (select min(seq) from outbox) as first,
        (select seq from sqlite_sequence where name = 'outbox') as last`);
    this.#after = database.prepare(`select seq, topics from outbox where seq > ? order by seq limit ${pageSize}`);
    this.#announce = announce;
    this.#place = this.#end().last;
  }

  announce(topics: readonly string[]): void {
    this.#announce(topics);
  }

  follow(reader: ChangeReader, after?: string): () => void {
    this.look();
    if (after !== undefined) this.#replay(reader, Number(after));
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  }

  /** Delivers what has been committed since the last look. */
  readonly look = (): void => {
    const { data_version } = versionSchema.parse(this.#version.get());
    if (data_version === this.#seenVersion) return;
    this.#seenVersion = data_version;
    this.#place = this.#read(this.#place, [...this.#readers]);
  };

  #replay(reader: ChangeReader, after: number): void {
    const { last } = this.#end();
    if (Number.isInteger(after) && after <= last) this.#read(after, [reader]);
    else reader.gap();
  }

  /** Delivers everything after `place`, or a gap where it is gone; returns the new place. */
  #read(place: number, readers: readonly ChangeReader[]): number {
    const { first, last } = this.#end();
    if (place < first - 1 || place > last) {
      for (const reader of readers) reader.gap();
      return last;
    }
    let reached = place;
    for (;;) {
      const rows = z.array(rowSchema).parse(this.#after.all(reached));
      for (const { seq, topics } of rows) {
        reached = seq;
        const change: Change = { cursor: String(seq), topics: topicsSchema.parse(JSON.parse(topics)) };
        for (const reader of readers) reader.change(change);
      }
      if (rows.length < pageSize) return reached;
    }
  }

  #end(): { first: number; last: number } {
    const { first, last } = boundsSchema.parse(this.#bounds.get());
    const end = last ?? 0;
    return { first: first ?? end + 1, last: end };
  }
}
