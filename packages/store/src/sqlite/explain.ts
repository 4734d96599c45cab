// SQLite's errors, as messages for the operator of the server.
import type { LiveError } from '@tidings/live';
import { systemCode } from '@tidings/live/portable';
import { databaseError } from '../database-error.ts';
import { sqliteCode } from './connection.ts';

const meanings: Record<string, string> = {
  SQLITE_BUSY: 'Another process has kept the database busy for half a minute. Try again, or end that process.',
  SQLITE_FULL: 'The disk is full. Nothing was written; free some space and try again.',
  SQLITE_IOERR: 'The disk failed or is full. Nothing was written; look at the disk and try again.',
  SQLITE_READONLY: 'The database cannot be written to. Allow it, or choose another data folder.',
  SQLITE_CANTOPEN: 'The database cannot be opened. Check that its folder exists and may be written to.',
  SQLITE_CORRUPT: 'The database file is damaged. Restore it from a backup.',
  SQLITE_NOTADB: 'This file is not a database. Move it away, or choose another data folder.',
  SQLITE_NOMEM: 'There is not enough memory. Nothing was written; try again.',
  SQLITE_PROTOCOL: 'The database could not be locked. Does its file system support locks?',
};

/** Returns the same error if it is not one of SQLite's, or a mistake in a statement. */
export function explained(file: string, error: unknown): unknown {
  const meaning = meanings[sqliteCode(error) ?? ''];
  return meaning === undefined ? error : databaseError(`${file}: ${meaning}`, error);
}

const whyUnusable: Record<string, string> = {
  ENOSPC: 'the disk is full.',
  ENOTDIR: 'it is a file, or below one. Choose another.',
};

export function unusable(folder: string, error: unknown): LiveError {
  const why = whyUnusable[systemCode(error) ?? ''] ?? 'create it, or make it writable.';
  return databaseError(`${folder} cannot be used as a data folder: ${why}`, error);
}

export function takenAway(file: string): LiveError {
  return databaseError(
    `${file} was deleted or replaced while it was in use, so nothing can be read or written any more. If that was not intended, put it back; then restart this program.`,
  );
}

export function unflushed(file: string, error: unknown): LiveError {
  const why = 'The disk failed or is full: what was written may be lost in a power cut. Look at the disk.';
  return databaseError(`${file}: ${why}`, error);
}
