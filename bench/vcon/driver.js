// SQLite for the plain side: the driver and the cache of the store. Every commit waits for the disk.
import { createRequire } from 'node:module';

const { DatabaseSync } = createRequire(new URL('../../packages/store/package.json', import.meta.url))(
  '@photostructure/sqlite',
);

export function openDatabase(file) {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full');
  database.exec('pragma cache_size = -8192');
  return database;
}

/** For files that are being built, which are discarded after a failure. */
export function openWithoutJournal(file) {
  const database = new DatabaseSync(file);
  for (const setting of ['journal_mode = off', 'synchronous = off', 'cache_size = -100000']) {
    database.exec(`pragma ${setting}`);
  }
  return database;
}
