// Where a file is that is reached through symbolic links.
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { systemCode } from '../portable/error-code.ts';

/** The path of the file itself, which need not exist. Throws if the links go in a circle. */
export async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  const link = await readlink(path).catch(() => undefined);
  if (link === undefined) return path;
  // Not shortened: after a folder that is a link or missing, ".." does not lead to the folder before it.
  const target = isAbsolute(link) ? link : dirname(path) + sep + link;
  const folder = await realpath(dirname(target)).catch(() => undefined);
  return folder === undefined ? target : linkTarget(join(folder, basename(target)));
}
