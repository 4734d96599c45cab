// A store in one SQLite file of a data folder that several processes may share.
import { type Clock, type LiveError, type Log, systemClock } from '@tidings/live';
import { type Kysely, type Transaction, sql } from 'kysely';
import { Gate, storeClosed } from '../gate.ts';
import { type Work, runWork } from '../run-work.ts';
import { WriteScope } from '../write-scope.ts';
import type { Store, StoreOptions, Writing } from '../store.ts';
import { CommitSignal, type WatchFolder } from './commit-signal.ts';
import { type Connections, openConnections, disconnect, emptyLog } from './connection.ts';
import { DataFile } from './data-file.ts';
import { SqliteConnection, kyselyOn } from './dialect.ts';
import { explained, takenAway, unflushed } from './explain.ts';
import { type FlushFile, LogFlush } from './log-flush.ts';
import { SqliteOutbox } from './outbox.ts';
import { BusyRetry } from './busy-retry.ts';
import { migrate } from './schema.ts';

interface SqliteOptions extends StoreOptions {
  folder: string;
  log: Log;
  clock?: Clock;
  watchFolder?: WatchFolder;
  flushFile?: FlushFile;
}

/** How many commits pass between two clearings of the outbox. */
const clearEvery = 256;

export async function openSqliteStore<Tables>(options: SqliteOptions): Promise<Store<Tables>> {
  const { folder, name, migrations, sqliteExtensions, clock = systemClock } = options;
  const file = new DataFile(folder, name);
  const busyRetry = new BusyRetry(clock, (error) => explained(file.path, error));
  const connections = await busyRetry.until(() => openConnections(file.path, sqliteExtensions));
  try {
    await migrate(connections, { file: file.path, migrations, busyRetry, now: new Date(clock.date()) });
    return new SqliteStore<Tables>(file, connections, busyRetry, { ...options, clock });
  } catch (error) {
    disconnect(connections);
    throw explained(file.path, error);
  }
}

class SqliteStore<Tables> implements Store<Tables> {
  readonly engine = 'sqlite';
  readonly db: Kysely<Tables>;
  readonly feed: SqliteOutbox;
  readonly #file: DataFile;
  readonly #connections: Connections;
  readonly #busyRetry: BusyRetry;
  readonly #writing: Kysely<Tables>;
  readonly #runEach: Writing<Tables>['runEach'];
  readonly #signal: CommitSignal;
  readonly #flush: LogFlush;
  readonly #gate = new Gate();
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #keepChanges: number;
  readonly #scope = new WriteScope();
  #announcements = 0;
  #loss: LiveError | undefined;

  constructor(
    file: DataFile,
    connections: Connections,
    busyRetry: BusyRetry,
    options: SqliteOptions & { clock: Clock },
  ) {
    const { clock, log, keepChanges = 10_000, watchFolder, flushFile } = options;
    this.#file = file;
    this.#flush = new LogFlush(file.logPath, flushFile);
    this.#connections = connections;
    this.#busyRetry = busyRetry;
    this.#clock = clock;
    this.#log = log;
    // The newest row is kept: readers resume from it.
    this.#keepChanges = Math.max(1, keepChanges);
    this.db = kyselyOn<Tables>(new SqliteConnection(connections.reading, busyRetry), 'begin');
    const writing = new SqliteConnection(connections.writing, busyRetry);
    this.#writing = kyselyOn<Tables>(writing, 'begin immediate');
    this.#runEach = (query, parameters) => writing.runEach(query, parameters);
    this.feed = new SqliteOutbox(connections.feed, log, (topics) => {
      this.#scope.assertOutside();
      return this.write(async ({ announce }) => announce(...topics));
    });
    file.remember();
    this.#signal = new CommitSignal(file, clock, () => this.#deliverNew(), watchFolder);
  }

  readonly write = <T>(work: Work<Tables, T>): Promise<T> =>
    this.#gate.pass(async () => {
      if (this.#loss) throw this.#loss;
      const result = await this.#scope.run(() =>
        this.#writing
          .transaction()
          .execute((db) =>
            runWork({ db, runEach: this.#runEach, publish: (topics) => this.#publish(db, topics) }, work),
          ),
      );
      await this.#flushed();
      this.#deliverNew();
      if (this.#loss) throw this.#loss;
      this.#signal.send();
      return result;
    });

  async close(): Promise<void> {
    this.#busyRetry.end(storeClosed());
    await this.#gate.close();
    await this.#flush.close();
    this.#signal.close();
    this.#tidyUp();
    disconnect(this.#connections);
  }

  /** Awaited by a loop of writes too, so that other work in this process runs. */
  async #flushed(): Promise<void> {
    try {
      await this.#flush.done();
    } catch (error) {
      // The log may be missing because the file was removed.
      this.#deliverNew();
      throw this.#loss ?? unflushed(this.#file.path, error);
    }
  }

  #tidyUp(): void {
    try {
      emptyLog(this.#connections);
    } catch (error) {
      this.#log.warn(
        { err: error },
        'The write-ahead log of the database was not cleared; the next process that opens it does that.',
      );
    }
  }

  async #publish(transaction: Transaction<Tables>, topics: readonly string[]): Promise<void> {
    const text = JSON.stringify(topics);
    await sql`insert into outbox (topics, at) values (${text}, ${Math.trunc(this.#clock.date())})`.execute(transaction);
    this.#announcements += 1;
    if (this.#announcements % clearEvery !== 0) return;
    await sql`delete from outbox where seq <= (select max(seq) from outbox) - ${this.#keepChanges}`.execute(
      transaction,
    );
  }

  /** Detects, too, that the file was deleted or replaced. */
  #deliverNew(): void {
    if (this.#loss) return;
    if (this.#file.isInPlace()) this.feed.deliverNew();
    else this.#lose();
  }

  /** Reads must fail from now on: the file that is still open is not the one others read and write. */
  #lose(): void {
    this.#loss = takenAway(this.#file.path);
    this.#log.error({ err: this.#loss }, 'The database file was moved or deleted.');
    this.#busyRetry.end(this.#loss);
    this.#signal.close();
    disconnect(this.#connections);
    this.feed.gap();
  }
}
