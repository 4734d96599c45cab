// Replaces a file that only its owner may read, in a folder that only its owner may list.
import { chmod, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceWhole } from '@tidings/live/internal';

export async function writePrivateFile(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await replaceWhole(file, (draft) => draft.write(text));
}
