// Replaces a file atomically, and keeps the previous one beside it as a backup.
import { constants, copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceWhole } from '@tidings/live/internal';
import { systemCode } from '@tidings/live/portable';

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
  // The file may hold secrets, so its permissions are not widened.
  const mode = before === undefined ? 0o600 : (await stat(file)).mode & 0o777;
  return replaceWhole(
    file,
    async (draft) => {
      await draft.write(after);
      await draft.save();
      const backup = before === undefined ? undefined : `${draft.target}.${stamp(now)}.bak`;
      if (backup !== undefined) await copyFile(file, backup, constants.COPYFILE_EXCL);
      if ((await contentOf(file)) !== before) throw new ChangedMeanwhile();
      return backup;
    },
    mode,
  );
}

/** Sorts by time, and is valid in file names on all platforms. */
function stamp(now: Date): string {
  return now.toISOString().replaceAll(':', '-').replace(/Z$/, '');
}
