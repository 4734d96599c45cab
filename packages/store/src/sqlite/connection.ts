// One connection to a SQLite file. Every connection gets the same settings: a commit that returned
// survives a power cut (WAL with synchronous FULL).
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { z } from 'zod';

/** Short, because waiting here blocks the process; longer waits are made between attempts. */
const busyTimeoutMs = 20;

export function connect(file: string): DatabaseSyncInstance {
  const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full');
  database.exec('pragma foreign_keys = on');
  return database;
}

const sqliteError = z.object({ sqliteCodeName: z.string(), sqliteExtendedCode: z.number().optional() });

/** SQLite's name for what went wrong, such as `SQLITE_BUSY`. */
export function sqliteCode(error: unknown): string | undefined {
  return sqliteError.safeParse(error).data?.sqliteCodeName;
}
