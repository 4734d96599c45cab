// The database file in its folder, and whether it is still the one that was opened: SQLite goes on
// writing to a file that was deleted or replaced, and those writes would be lost.
import { systemCode } from '@tidings/live/portable';
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { unusable } from './explain.ts';

/** Readable by the owner only; SQLite gives its log the permissions of the file. */
const mode = { folder: 0o700, file: 0o600 };

export class DataFile {
  readonly folder: string;
  readonly path: string;
  /** Touched after each commit, to wake other processes. */
  readonly wakePath: string;
  #identity: string | undefined;

  /** Creates missing files. Without this, a read-only folder would open and fail at the first write. */
  constructor(folder: string, name: string) {
    this.folder = folder;
    this.path = join(folder, `${name}.db`);
    this.wakePath = `${this.path}-wake`;
    try {
      makeFolder(folder);
      accessSync(folder, constants.W_OK);
      for (const path of [this.path, this.wakePath]) {
        create(path);
        accessSync(path, constants.W_OK);
      }
    } catch (error) {
      throw unusable(folder, error);
    }
  }

  get logPath(): string {
    return `${this.path}-wal`;
  }

  get logName(): string {
    return basename(this.logPath);
  }

  get wakeName(): string {
    return basename(this.wakePath);
  }

  /** Remembers the identity of the files as they are now. */
  remember(): void {
    this.#identity = this.#currentIdentity();
  }

  isInPlace(): boolean {
    return this.#identity === this.#currentIdentity();
  }

  #currentIdentity(): string {
    return [this.path, this.logPath].map((path) => inodeOf(path)).join(' ');
  }
}

/** Not with mkdir's own `recursive`, which never returns if a folder exists but accepts no subfolder, as in /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: mode.folder });
  } catch (error) {
    // Another process created it at the same time.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** Never opens a file that exists: closing it again would drop the locks SQLite has on it in this process. */
export function create(path: string): void {
  try {
    closeSync(openSync(path, 'wx', mode.file));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

function inodeOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : 'gone';
}
