// Where a file is that is reached through symbolic links.
import { readlink, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemCode } from '../portable/error-code.ts';

/** The path of the file itself, which need not exist. Throws if the links go in a circle. */
export async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : linkTarget(resolve(await realpath(dirname(path)), link));
}
