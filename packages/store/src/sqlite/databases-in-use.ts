// Finds out whether other processes have the databases of a folder open: replacing those would break the processes.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sqliteCode } from './connection.ts';

/**
 * The file names of those databases of a data folder that another process, or another part of this one, has open.
 *
 * @example
 * if ((await databasesInUse('data')).length > 0) throw new Error('Stop the server first.');
 */
export async function databasesInUse(folder: string): Promise<string[]> {
  // Imported here: programs that use PostgreSQL only may run where there is no build of it.
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.db'));
  return names.filter((name) => {
    const database = new DatabaseSync(join(folder, name));
    try {
      // A database in WAL mode gives its file to one connection only if no other has it open.
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK');
      return false;
    } catch (error) {
      // A damaged database cannot be opened, and is not in use.
      return sqliteCode(error) === 'SQLITE_BUSY';
    } finally {
      database.close();
    }
  });
}
