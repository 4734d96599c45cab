// `tidings backup FILE` and `tidings restore FILE`: a data folder as one archive, made while it is used.
import { messageOf, systemCode } from '@tidings/live/portable';
import { type Stats, createWriteStream, existsSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { linkTarget, replaceWhole } from '@tidings/live/internal';
import { copyDatabases, databasesInUse } from '@tidings/store';
import * as tar from 'tar';
import { noFolder } from '../terminal/existing-place.ts';
import { Failure } from '../terminal/failure.ts';

interface BackupSettings {
  /** The data folder. */
  data: string;
  /** The archive. */
  file: string;
  /** Stops it; then nothing is left behind. */
  signal?: AbortSignal;
}

interface RestoreSettings extends BackupSettings {
  /** Replaces a folder that has data; the old folder is kept beside it. */
  force?: boolean;
}

/** The folders of a data folder that belong into the archive, besides the databases. */
const archivedFolders = ['audit'];
const plainTypes: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory', 'GNUDumpDir']);

/** Returns the names of the entries in the archive. */
export async function backup({ data, file, signal }: BackupSettings): Promise<string[]> {
  assertFolder(data);
  // Of a link, which may lead to a larger disk.
  const target = await linkTarget(resolve(file));
  if (isFolder(target)) throw new Failure(`${file} is a folder. Give the name of a file.`, 2);
  await mkdir(dirname(target), { recursive: true });
  // Beside the archive, where there is room for it.
  const work = await mkdtemp(join(dirname(target), '.tidings-backup-'));
  try {
    const databases = await copyDatabases(data, join(work, 'data')).catch((error: unknown) => {
      throw unreadable(error, data);
    });
    if (databases.length === 0) throw new Failure(`There is no data in ${data}. Name another folder with --data.`);
    const there = new Set(await readdir(data));
    const others = archivedFolders.filter((name) => there.has(name));
    // The target of a link belongs to the data too.
    const all = { recursive: true, dereference: true };
    for (const name of others) await cp(join(data, name), join(work, 'data', name), all);
    const archive = { gzip: true, cwd: join(work, 'data'), portable: true };
    // Only the owner may read it: it contains everything that the folder does.
    await replaceWhole(target, async ({ path }) => {
      const packed = Readable.from(tar.create(archive, [...databases, ...others]));
      await pipeline(packed, createWriteStream(path), { signal });
    });
    return [...databases, ...others];
  } catch (error) {
    throw signal?.aborted ? new Failure('Stopped before the backup was complete.') : error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Returns the new path of the replaced folder, if there was one. */
export async function restore({ data, file, force = false, signal }: RestoreSettings): Promise<string | undefined> {
  assertFolder(data);
  if (!existsSync(file)) throw new Failure(`There is no file ${file}.`);
  if (isFolder(file)) throw new Failure(`${file} is a folder. Give the name of a backup.`, 2);
  // A link to the folder stays one, since it may lead to a larger disk.
  const folder = await linkTarget(resolve(data));
  const before = await readdir(folder).catch(() => []);
  if (before.some((name) => name.endsWith('.db')) && !force) {
    throw new Failure(
      `${folder} has data already. Stop the hub, and add --force to replace it; what is there is kept beside it.`,
    );
  }
  const inUse = before.length === 0 ? [] : await databasesInUse(folder);
  if (inUse.length > 0) {
    throw new Failure(
      `${folder} is in use (${inUse.join(', ')}). Stop the hub, and every server that uses this folder.`,
    );
  }
  await mkdir(dirname(folder), { recursive: true });
  const work = await mkdtemp(join(dirname(folder), '.tidings-restore-'));
  try {
    const links: string[] = [];
    // The library refuses paths that lead out of the folder. A link in it would lead there later, when the hub writes.
    const filter = (path: string, entry: tar.ReadEntry | Stats) => {
      const isLink = 'type' in entry && !plainTypes.has(entry.type);
      if (isLink) links.push(path);
      return !isLink && isData(path) && signal?.aborted !== true;
    };
    await tar.extract({ file: resolve(file), cwd: work, strict: true, filter }).catch((error: unknown) => {
      throw notAnArchive(error, file);
    });
    if (signal?.aborted) throw new Failure('Stopped before everything was restored.');
    if (links[0] !== undefined) throw notAnArchive(`${links[0]} is a link or a device.`, file);
    if (!(await readdir(work)).some((name) => name.endsWith('.db'))) {
      throw new Failure(`${file} is not a backup of Tidings: it has no database.`);
    }
    const kept = before.length > 0 ? `${folder}.before-${basename(work).slice('.tidings-restore-'.length)}` : undefined;
    if (kept !== undefined) await rename(folder, kept);
    else await rm(folder, { recursive: true, force: true });
    await rename(work, folder);
    return kept;
  } finally {
    // After an error the library may still be writing.
    await rm(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Whether the path is part of a backup: a database, or in one of the archived folders. */
function isData(path: string): boolean {
  const [first = ''] = path.replace(/^\.\//, '').split('/');
  return /^[\w-]+\.db$/.test(first) || archivedFolders.includes(first);
}

function assertFolder(data: string): void {
  if (/^postgres(ql)?:/.test(data)) {
    throw new Failure(
      'Backups are of data folders only. For a PostgreSQL database, use its own tools: pg_dump and pg_restore.',
      2,
    );
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function unreadable(error: unknown, folder: string): unknown {
  return systemCode(error) === 'ENOENT' ? noFolder(folder) : error;
}

function notAnArchive(error: unknown, file: string): unknown {
  const reason = messageOf(error);
  return new Failure(`${file} cannot be read as a backup: ${reason}`);
}
