// Copies the databases of a data folder while other processes use them: each copy is the state of one moment.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Copies every database of a data folder into another folder, and returns their file names. Processes that write
 * meanwhile are not held up.
 *
 * @example
 * const names = await copyDatabases('data', 'copy');
 */
export async function copyDatabases(folder: string, into: string): Promise<string[]> {
  // Imported here: programs that use PostgreSQL only may run where there is no build of it.
  const { DatabaseSync, backup } = await import('@photostructure/sqlite');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.db'));
  await mkdir(into, { recursive: true, mode: 0o700 });
  for (const name of names) {
    const database = new DatabaseSync(join(folder, name), { readOnly: true });
    try {
      // Without an open read transaction, SQLite begins the copy again after every commit of another process, and may
      // never end.
      database.exec('begin; select 1 from sqlite_schema');
      await backup(database, join(into, name));
    } finally {
      database.close();
    }
  }
  return names;
}
