// The stores of a tracker that has a place to store data.
import type { Store } from '@tidings/store';
import type { Cluster } from '../cluster/cluster.ts';
import type { ArchiveTables } from './archive-schema.ts';
import type { Archive } from './archive.ts';

export interface Storage {
  store: Store<ArchiveTables>;
  /** The same store, unless this tracker has a journal of its own. */
  definitions: Store<ArchiveTables>;
  archive: Archive;
  cluster: Cluster | undefined;
}

/** Closes each store once, though some may be the same object. */
export async function closeStores(...stores: readonly Store<ArchiveTables>[]): Promise<void> {
  await Promise.all([...new Set(stores)].map((store) => store.close()));
}
