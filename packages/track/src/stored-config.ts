// The stored configuration of a database, for programs that have not joined the cluster.
import { stderrLog, systemClock } from '@tidings/live';
import { openStore } from '@tidings/store';
import { ConfigTable } from './cluster/config-table.ts';
import { type ArchiveTables, migrations } from './journal/archive-schema.ts';

/** `place` is a postgres:// URL. */
export async function withConfigTable<T>(place: string, work: (table: ConfigTable) => Promise<T>): Promise<T> {
  const options = { name: 'tracker', migrations, log: stderrLog, clock: systemClock };
  const store = await openStore<ArchiveTables>(place, options);
  try {
    return await work(new ConfigTable(store));
  } finally {
    await store.close();
  }
}
