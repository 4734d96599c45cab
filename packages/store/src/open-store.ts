// Opens the store at a place: a data folder (SQLite) or a postgres:// URL.
import { type Clock, type Log, stderrLog } from '@tidings/live';
import { aCount, aList, aString, aText, checkOptions, checkValue, having, texts } from '@tidings/live/internal';
import type { Store, StoreOptions } from './store.ts';

/** What a store is for: its name and migrations, and what differs from the defaults. */
export interface OpenOptions extends StoreOptions {
  log?: Log;
  clock?: Clock;
}

const storeChecks = {
  name: aText,
  migrations: aList,
  keepChanges: aCount,
  sqliteExtensions: texts,
  bus: having('publish', 'want', 'onGap'),
  log: having('warn', 'error'),
  clock: having('now', 'date', 'defer', 'after'),
};

/**
 * Brings the schema up to date first; resolves when the store can be read and written.
 *
 * @example
 * const store = await openStore<Tables>('data', { name: 'notes', migrations });
 */
export async function openStore<Tables>(place: string, options: OpenOptions): Promise<Store<Tables>> {
  checkValue('The place of a store', place, aString);
  checkOptions('openStore', options, storeChecks, ['name', 'migrations']);
  const { log = stderrLog, ...rest } = options;
  // Only the engine that is used is loaded.
  if (/^postgres(ql)?:/.test(place)) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts');
    return openPostgresStore<Tables>({ ...rest, log, url: place });
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return openSqliteStore<Tables>({ ...rest, log, folder: place });
}
