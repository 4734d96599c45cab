// Chooses the journal of a data folder that this hub writes. A journal records what its own readers were told, so two
// hubs on one folder need two journals: otherwise changes would count as told that only readers of the other hub got. A
// hub takes the first journal that no running hub writes; a reader with a cursor of another journal gets a gap.
import { type FolderLock, lockFolder } from '@tidings/store';

export interface JournalSlot extends FolderLock {
  /** Undefined for the first. */
  readonly journal: string | undefined;
}

export async function takeJournalSlot(folder: string): Promise<JournalSlot> {
  for (let n = 1; ; n += 1) {
    const lock = await lockFolder(folder, `journal-${n}`);
    if (lock) return { ...lock, journal: n === 1 ? undefined : `journal-${n}` };
  }
}
