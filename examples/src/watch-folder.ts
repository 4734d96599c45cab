// Reports changes below a folder. One watcher per folder: on Linux, Node's recursive watching loses a file that
// another one is renamed to, which is how editors save.
import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { basename, join, posix } from 'node:path';

/** A file was written; a file was added or removed; a folder was added or removed, with its contents. */
export type FolderEvent = 'change' | 'rename' | 'folder';

/** Paths are relative to `root`, with slashes. Returns a function that stops watching. */
export function watchFolder(root: string, onEvent: (event: FolderEvent, path: string) => void): () => void {
  const watchers = new Map<string, FSWatcher>();

  function seen(folder: string, event: string, name: string | null): void {
    // A watched folder that is itself moved or deleted reports its own name. For the root folder no parent reports that.
    const isFolder = name === null || (folder === '' && name === basename(root));
    const path = isFolder ? folder : posix.join(folder, name);
    if (event === 'change' && !isFolder) onEvent('change', path);
    else onEvent(lookAgain(path) ? 'folder' : 'rename', path);
  }

  /** Returns whether a folder is, or was until now, at this path. */
  function lookAgain(path: string): boolean {
    return [forget(path), add(path)].includes(true);
  }

  function forget(path: string): boolean {
    const gone = [...watchers].filter(([folder]) => path === '' || `${folder}/`.startsWith(`${path}/`));
    for (const [folder, watcher] of gone) {
      watcher.close();
      watchers.delete(folder);
    }
    return gone.length > 0;
  }

  function add(folder: string): boolean {
    const place = join(root, folder);
    // A link does not count as a folder: it may lead out of the root, or in a circle.
    if (!lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) return false;
    try {
      // Watch before listing: an entry that appears in between is reported twice instead of not at all.
      const watcher = watch(place, (event, name) => seen(folder, event, name));
      watcher.on('error', () => seen(folder, 'rename', null));
      watchers.set(folder, watcher);
      for (const entry of readdirSync(place, { withFileTypes: true })) {
        if (entry.isDirectory()) add(posix.join(folder, entry.name));
      }
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return true;
  }

  add('');
  return () => void forget('');
}

/** Deleted or unreadable: there is nothing to list. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'EACCES'].includes(String(error.code));
}
