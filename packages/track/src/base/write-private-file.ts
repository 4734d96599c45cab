// Replaces a file that only its owner may read. A reader sees the old content or the new one.
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function writePrivateFile(file: string, text: string): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const draft = `${file}.${process.pid}.tmp`;
  try {
    // Removes the draft of a process that ended while it wrote.
    await rm(draft, { force: true });
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
