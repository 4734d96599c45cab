// Opens the store at a place: a data folder (SQLite) or a postgres:// URL.
import { type Clock, type Log, stderrLog } from '@tidings/live';
import type { Store, StoreOptions } from './store.ts';

/** What a store is for: its name and migrations, and what differs from the defaults. */
export interface OpenOptions extends StoreOptions {
  log?: Log;
  clock?: Clock;
}

/**
 * Brings the schema up to date first; resolves when the store can be read and written.
 *
 * @example
 * const store = await openStore<Tables>('data', { name: 'notes', migrations });
 */
export async function openStore<Tables>(place: string, options: OpenOptions): Promise<Store<Tables>> {
  const { log = stderrLog, ...rest } = options;
  // Only the engine that is used is loaded.
  if (/^postgres(ql)?:/.test(place)) {
    const { openPostgresStore } = await import('./postgres/postgres-store.ts');
    return openPostgresStore<Tables>({ ...rest, log, url: place });
  }
  const { openSqliteStore } = await import('./sqlite/sqlite-store.ts');
  return openSqliteStore<Tables>({ ...rest, log, folder: place });
}
