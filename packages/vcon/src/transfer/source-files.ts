// The files to import: the named ones, and all in the named folders and their subfolders.
import { systemCode } from '@tidings/live/portable';
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface SourceFile {
  path: string;
  size: number;
  /** Whether it can be read again from any position; a pipe cannot. */
  isRegular: boolean;
}

const ofInterest = /\.(?:json|vcon|jsonl|ndjson)$/i;

type Failed = (path: string, error: unknown) => void;

/** Always in the same order. Unreadable entries are reported and skipped. */
export async function* sourceFiles(paths: readonly string[], onFailure: Failed): AsyncIterable<SourceFile> {
  for (const path of paths) yield* filesAt(path, { isNamed: true, folders: new Set(), onFailure });
}

/** Undefined if a source has no known end, such as a pipe. */
export async function totalSize(paths: readonly string[]): Promise<number | undefined> {
  let total = 0;
  for await (const { size, isRegular } of sourceFiles(paths, () => {})) {
    if (!isRegular) return undefined;
    total += size;
  }
  return total;
}

interface Walk {
  /** A file that is named explicitly is read regardless of its extension. */
  isNamed: boolean;
  /** The folders that were entered: a link may lead back to one of them. */
  folders: Set<string>;
  onFailure: Failed;
}

async function* filesAt(path: string, walk: Walk): AsyncIterable<SourceFile> {
  const isOfInterest = walk.isNamed || ofInterest.test(path);
  let names: string[];
  try {
    const stats = await stat(path);
    if (!stats.isDirectory()) {
      const isRegular = stats.isFile();
      if (walk.isNamed || (isOfInterest && isRegular)) yield { path, size: stats.size, isRegular };
      return;
    }
    const folder = await realpath(path);
    if (walk.folders.has(folder)) return;
    walk.folders.add(folder);
    names = (await readdir(path, { withFileTypes: true })).filter(mayHold).map(({ name }) => name);
  } catch (error) {
    // A broken link matters only if its name has one of the extensions.
    if (isOfInterest || systemCode(error) !== 'ENOENT') walk.onFailure(path, error);
    return;
  }
  for (const name of names.sort()) yield* filesAt(join(path, name), { ...walk, isNamed: false });
}

/** The target of a link is determined when it is followed. */
function mayHold(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isSymbolicLink() || (entry.isFile() && ofInterest.test(entry.name));
}
