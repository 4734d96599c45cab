// Opens the store at a place: a data folder (SQLite) or a postgres:// URL.
import { type Clock, type Log, stderrLog } from '@tidings/live';
import {
  type Check,
  aCount,
  aFunction,
  aList,
  aText,
  checkOptions,
  checkValue,
  having,
  texts,
} from '@tidings/live/internal';
import type { Store, StoreOptions } from './store.ts';

/** A store's name and migrations, and the options that differ from their defaults. */
export interface OpenOptions extends StoreOptions {
  /** Where failures are reported. Default: `stderrLog`. */
  log?: Log;
  /** Default: real time. */
  clock?: Clock;
}

/** It becomes part of a file or schema name. */
const aStoreName: Check = {
  expected: 'a text of letters, digits, "-" and "_"',
  accepts: (value) => typeof value === 'string' && /^[\w-]+$/.test(value),
};

const storeChecks = {
  name: aStoreName,
  migrations: aList,
  keepChanges: aCount,
  sqliteExtensions: texts,
  bus: having('publish', 'want', 'onGap'),
  log: having('warn', 'error'),
  clock: having('now', 'date', 'defer', 'after'),
};

const migrationChecks = { name: aText, up: aFunction };

/**
 * Brings the schema up to date first; resolves when the store can be read and written.
 *
 * @example
 * const store = await openStore<Tables>('data', { name: 'notes', migrations });
 */
export async function openStore<Tables>(place: string, options: OpenOptions): Promise<Store<Tables>> {
  checkPlace(place);
  checkOptions('openStore', options, storeChecks, ['name', 'migrations']);
  for (const [index, migration] of options.migrations.entries()) {
    checkOptions(`Migration ${index + 1} of openStore`, migration, migrationChecks, ['name', 'up']);
  }
  const { log = stderrLog, ...rest } = options;
  // Only the engine that is used is loaded.
  if (isPostgres(place)) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts');
    return openPostgresStore<Tables>({ ...rest, log, url: place });
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return openSqliteStore<Tables>({ ...rest, log, folder: place });
}

function isPostgres(place: string): boolean {
  return /^postgres(ql)?:/.test(place);
}

/** Any other URL would become a folder of that name. Only its scheme is shown: it may contain a password. */
function checkPlace(place: string): void {
  checkValue('The place of a store', place, aText);
  const scheme = /^[a-z][a-z0-9+.-]+:\/\//i.exec(place)?.[0];
  if (scheme !== undefined && !isPostgres(place)) {
    throw new TypeError(`The place of a store is a data folder or a postgres:// URL, and not ${scheme}.`);
  }
}
