// One connection to a SQLite file. Every connection gets the same settings: a commit leaves the file whole whatever
// happens (WAL with synchronous NORMAL), and survives a power cut once log-flush.ts has flushed the log.
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { z } from 'zod';

/** Short, because waiting here blocks the process; longer waits are made between attempts. */
const busyTimeoutMs = 5;
/** The log shrinks to this after a large transaction, instead of staying as large as it ever was. */
const logLimitBytes = 16 * 1024 * 1024;

/**
 * As large as what most transactions change, since pages that do not fit are written more than once; and as the upper
 * pages of a large index, which every read needs.
 */
const cache = 'cache_size = -8192';

const settings = [
  'journal_mode = wal',
  'synchronous = normal',
  'foreign_keys = on',
  `journal_size_limit = ${logLimitBytes}`,
];

export interface Connections {
  writing: DatabaseSyncInstance;
  reading: DatabaseSyncInstance;
  /** Apart from `reading`, whose transactions would hide new commits from it. */
  feed: DatabaseSyncInstance;
}

/** Opens all connections, or none. */
export function openConnections(file: string, extensions: readonly string[] = []): Connections {
  const opened: DatabaseSyncInstance[] = [];
  const open = (more: readonly string[] = []) => {
    const database = new DatabaseSync(file, { timeout: busyTimeoutMs, allowExtension: extensions.length > 0 });
    opened.push(database);
    load(database, extensions);
    for (const setting of [...settings, ...more]) database.exec(`pragma ${setting}`);
    return database;
  };
  try {
    // To a connection that never writes, every commit is one of another connection.
    return { writing: open([cache]), reading: open(['query_only = on', cache]), feed: open(['query_only = on']) };
  } catch (error) {
    for (const database of opened) database.close();
    throw error;
  }
}

/** Statements cannot load further extensions afterwards. */
function load(database: DatabaseSyncInstance, extensions: readonly string[]): void {
  if (extensions.length === 0) return;
  database.enableLoadExtension(true);
  for (const path of extensions) database.loadExtension(path);
  database.enableLoadExtension(false);
}

/** Moves the log into the file, so that a copy of the file alone is complete. Not possible while others read. */
export function emptyLog({ writing }: Connections): void {
  if (writing.isOpen) writing.exec('pragma wal_checkpoint(truncate)');
}

/** SQLite closes the files once the statements have been garbage-collected. */
export function disconnect({ writing, reading, feed }: Connections): void {
  for (const database of [reading, feed, writing]) if (database.isOpen) database.close();
}

const sqliteError = z.object({ sqliteCodeName: z.string() });
const stateError = z.object({ code: z.literal('ERR_INVALID_STATE') });

/** SQLite's code of an error, such as `SQLITE_BUSY`. */
export function sqliteCode(error: unknown): string | undefined {
  return sqliteError.safeParse(error).data?.sqliteCodeName;
}

export function isClosedConnection(error: unknown): boolean {
  return stateError.safeParse(error).success;
}
