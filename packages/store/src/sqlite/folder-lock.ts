// A lock on a data folder. It is a lock of the system on a file, held through an empty database, so it ends with the
// process, also if that is killed.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { sqliteCode } from './connection.ts';
import { create, makeFolder } from './data-file.ts';
import { explained, unusable } from './explain.ts';

/** A lock that is held until it is released, or the process ends. */
export interface FolderLock {
  /** May be called twice. */
  release(this: void): void;
}

export function takeFolderLock(folder: string, name: string): FolderLock | undefined {
  const path = lockFile(folder, name);
  const database = new DatabaseSync(path);
  try {
    database.exec('begin exclusive');
    return { release: () => void (database.isOpen && database.close()) };
  } catch (error) {
    database.close();
    if (sqliteCode(error) === 'SQLITE_BUSY') return undefined;
    throw explained(path, error);
  }
}

function lockFile(folder: string, name: string): string {
  const path = join(folder, `${name}.lock`);
  try {
    makeFolder(folder);
    create(path);
    return path;
  } catch (error) {
    throw unusable(folder, error);
  }
}
