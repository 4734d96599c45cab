// Locks for programs that share a data folder and each need a part of it exclusively.
import type { FolderLock } from './sqlite/folder-lock.ts';

/**
 * Locks this name in a data folder; resolves with undefined while another process, or another call, holds it. Stores in
 * the folder are not affected.
 *
 * @example
 * const lock = await lockFolder('data', 'first');
 */
export async function lockFolder(folder: string, name: string): Promise<FolderLock | undefined> {
  // SQLite is loaded only where it is used.
  const { takeFolderLock } = await import('./sqlite/folder-lock.ts');
  return takeFolderLock(folder, name);
}
