// The port of storage: state that is read with SQL, changed in transactions, and announces its changes. It has two
// engines (sqlite/, postgres/) and one suite that runs on both (testing.ts).
import type { Bus, ChangeFeed } from '@tidings/live';
import type { CompiledQuery, Kysely, QueryResult, Transaction } from 'kysely';

/** Tables, and a feed of what was announced with each write. */
export interface Store<Tables> {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * For reading; on PostgreSQL also for a single statement that announces nothing. A read sees every commit that
   * returned before it.
   */
  readonly db: Kysely<Tables>;
  /** The outbox: what committed transactions announced, by this process or another, in order. */
  readonly feed: ChangeFeed;
  /**
   * Runs `work` in one transaction. What it announces commits with it, or not at all; when the promise
   * resolves, both are durable. `work` may run again if the engine asks for that, so it changes nothing else;
   * it reads through its own `db`, waits for no other write, and is short: on SQLite it keeps all writers waiting.
   */
  write<T>(work: (transaction: Writing<Tables>) => Promise<T>): Promise<T>;
  /** Waits for writes in progress first. */
  close(): Promise<void>;
}

/** The transaction of a write, and what it announces when it commits. */
export interface Writing<Tables> {
  readonly db: Transaction<Tables>;
  /**
   * Runs a statement once for each list of parameters, in order, and returns the result of each. On SQLite that takes
   * less time than one statement for many rows, on PostgreSQL more.
   */
  runEach<Row>(
    this: void,
    query: CompiledQuery<Row>,
    parameters: readonly (readonly unknown[])[],
  ): Promise<QueryResult<Row>[]>;
  /** Announces these topics when this transaction has committed. */
  announce(this: void, ...topics: string[]): void;
  /** Announces, when this transaction has committed, that the list of resources has changed. */
  listChanged(this: void): void;
}

/** One step forward of the schema. Steps are applied in order, each once, and never reverted. */
export interface Migration {
  readonly name: string;
  up(this: void, schema: SchemaChange): Promise<void>;
}

/** The argument of a migration. */
export interface SchemaChange {
  readonly engine: Store<unknown>['engine'];
  /** Runs one statement unchanged. */
  run(this: void, statement: string): Promise<void>;
}

/** The options of every store. Defaults: real time, log on stderr. */
export interface StoreOptions {
  /** The name of its file or schema. */
  name: string;
  migrations: readonly Migration[];
  /** How many changes the outbox keeps for readers that resume later. Default: 10,000. */
  keepChanges?: number;
  /** Wakes other processes; not used by SQLite. All processes must use it, or none. Default: PostgreSQL's NOTIFY. */
  bus?: Bus;
  /** Files of extensions that SQLite loads; not used by PostgreSQL. Default: none. */
  sqliteExtensions?: readonly string[];
}
