// Opens the stores of a tracker, loads the archived state, and creates the tracker.
import { stderrLog, systemClock } from '@tidings/live';
import { type Store, openStore } from '@tidings/store';
import { Cluster } from './cluster/cluster.ts';
import { type ArchiveTables, migrations } from './journal/archive-schema.ts';
import { Archive } from './journal/archive.ts';
import { nothingRemembered } from './journal/remembered.ts';
import { defaultSettings } from './options/settings.ts';
import { closeStores } from './journal/storage.ts';
import { Tracker } from './tracker.ts';
import type { TrackerOptions } from './options/tracker-options.ts';

/**
 * Loads the archive and starts connecting. Default: nothing is stored.
 *
 * @example
 * const tracker = await openTracker({ config: loadConfig({ file, env: process.env }), place: 'data' });
 */
export async function openTracker(options: TrackerOptions): Promise<Tracker> {
  const { place, clock = systemClock, log = stderrLog, node, bus, journal } = options;
  const settings = { ...defaultSettings, ...options.settings };
  if (place === undefined) return new Tracker(options, settings, nothingRemembered, undefined);
  const open = (name: string) => openStore<ArchiveTables>(place, { name, migrations, log, clock, ...(bus && { bus }) });
  const definitions = await open('tracker');
  const store = journal === undefined ? definitions : await orClose(definitions, open(journal));
  try {
    const isShared = node !== undefined && store.engine === 'postgres';
    const cluster = isShared ? await Cluster.open(store, { id: node, clock, log }) : undefined;
    const fenced = () => void cluster?.leases.look();
    const { entries: keep } = settings.journal;
    const archive = new Archive({ store, definitions }, { clock, log, keep, isShared, fenced });
    return new Tracker(options, settings, await archive.load(), { store, definitions, archive, cluster });
  } catch (error) {
    await closeStores(store, definitions);
    throw error;
  }
}

async function orClose<T>(other: Store<ArchiveTables>, opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    await other.close();
    throw error;
  }
}
