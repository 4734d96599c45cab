// Where a tracker with a place stores.
import type { Store } from '@tidings/store';
import type { Cluster } from '../cluster/cluster.ts';
import type { ArchiveTables } from './archive-schema.ts';
import type { Archive } from './archive.ts';

export interface Storage {
  store: Store<ArchiveTables>;
  /** The same, unless it has a journal of its own. */
  definitions: Store<ArchiveTables>;
  archive: Archive;
  cluster: Cluster | undefined;
}

/** Each once, though they may be the same. */
export async function closeStores(...stores: readonly Store<ArchiveTables>[]): Promise<void> {
  await Promise.all([...new Set(stores)].map((store) => store.close()));
}
