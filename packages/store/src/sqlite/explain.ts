// What SQLite's failures mean for whoever runs the server.
import type { LiveError } from '@tidings/live';
import { databaseError } from '../database-error.ts';
import { sqliteCode } from './connection.ts';

const meanings: Record<string, string> = {
  SQLITE_FULL: 'The disk is full. Nothing was written; free some space and try again.',
  SQLITE_IOERR: 'The disk failed or is full. Nothing was written; look at the disk and try again.',
  SQLITE_READONLY: 'The data folder cannot be written to. Allow it, or choose another folder.',
  SQLITE_CANTOPEN: 'The data folder cannot be opened. Check that it exists and may be written to.',
  SQLITE_CORRUPT: 'The database file is damaged. Restore it from a backup beside it.',
  SQLITE_NOTADB: 'This file is not a database. Move it away, or choose another data folder.',
};

/** The same error if it is none of SQLite's. */
export function explained(file: string, error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  const name = Object.keys(meanings).find((known) => code.startsWith(known)) ?? '';
  return databaseError(`${file}: ${meanings[name] ?? `The database failed (${code}).`}`, error);
}

export function unusable(folder: string, error: unknown): LiveError {
  return databaseError(`${folder} cannot be used as a data folder: it must exist, or be made, and be writable.`, error);
}
