// Prepared statements by their text. Preparing one takes longer than running it.
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { BoundedMap } from '@tidings/live/portable';

export interface Prepared {
  statement: StatementSyncInstance;
  returnsRows: boolean;
}

/** Enough for the statements of one server; texts that vary with their parameters push each other out. */
const limit = 200;

export class StatementCache {
  readonly #database: DatabaseSyncInstance;
  /** The least recently used first. */
  readonly #prepared = new BoundedMap<string, Prepared>(limit);

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
  }

  get(sql: string): Prepared {
    const prepared = this.#prepared.get(sql) ?? this.#prepare(sql);
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  #prepare(sql: string): Prepared {
    const statement = this.#database.prepare(sql);
    return { statement, returnsRows: statement.columns().length > 0 };
  }
}
