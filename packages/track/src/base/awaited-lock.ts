// Waits for a lock on a name in a folder that several processes share.
import type { Clock } from '@tidings/live';
import { delay } from '@tidings/live/time';
import { type FolderLock, lockFolder } from '@tidings/store';

const againMs = 20;

/** Undefined if another process, or another call, still holds it after `patienceMs`. */
export async function awaitedLock(
  folder: string,
  name: string,
  { clock, patienceMs }: { clock: Clock; patienceMs: number },
): Promise<FolderLock | undefined> {
  const deadline = clock.now() + patienceMs;
  for (;;) {
    const lock = await lockFolder(folder, name);
    if (lock !== undefined || clock.now() > deadline) return lock;
    await delay(clock, againMs);
  }
}
