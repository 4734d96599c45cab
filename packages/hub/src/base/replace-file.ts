// Replaces a file atomically, and keeps the previous one beside it as a backup.
import { systemCode } from '@tidings/live/portable';
import { constants, copyFile, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** `undefined` where the file does not exist. */
export async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Another program changed the file after it was read. */
export class ChangedMeanwhile extends Error {}

/** Returns the path of the backup, if there was something to back up. */
export async function replaceFile(
  file: string,
  before: string | undefined,
  after: string,
  now: Date,
): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true });
  // A symbolic link stays one: the file it points to is replaced.
  const real = before === undefined ? file : await realpath(file);
  const backup = before === undefined ? undefined : `${real}.${stamp(now)}.bak`;
  // The file may hold secrets, so its permissions are not widened.
  const mode = before === undefined ? 0o600 : (await stat(real)).mode & 0o777;
  const draft = `${real}.${process.pid}.tmp`;
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(after);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (backup !== undefined) await copyFile(real, backup, constants.COPYFILE_EXCL);
    if ((await contentOf(real)) !== before) throw new ChangedMeanwhile();
    await rename(draft, real);
    return backup;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Sorts by time, and is valid in file names on all platforms. */
function stamp(now: Date): string {
  return now.toISOString().replaceAll(':', '-').replace(/Z$/, '');
}
