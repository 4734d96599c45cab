// Schedules kept in the store and made to happen by this process, or by any other that shares the store.
import { type Clock, type Log, stderrLog, systemClock } from '@tidings/live';
import { openStore } from '@tidings/store';
import type { ScheduleBackend } from '../backend.ts';
import type { Notifier } from '../notifier.ts';
import { addCron, addOneOff, pause, remove, resume } from './changes.ts';
import { Scheduler } from './scheduler.ts';
import { type ScheduleStore, type Tables, migrations } from './tables.ts';
import { TopicReader } from './topic-content.ts';

export interface EmbeddedOptions {
  notifier: Notifier;
  /** In words: where the notifier sends to. */
  destination: string;
  clock?: Clock;
  log?: Log;
  /** What comes due while nothing runs is still delivered for this long. Default: 5 minutes. */
  graceMs?: number;
  /** How long a process may take over one delivery before other processes take it over. Default: 1 minute. */
  leaseMs?: number;
  /** How many deliveries are under way at once. Default: 16. */
  slots?: number;
}

/** `place` is a data folder or a postgres:// URL. */
export async function openEmbeddedBackend(options: EmbeddedOptions & { place: string }): Promise<ScheduleBackend> {
  const { place, log = stderrLog } = options;
  // The store waits for other processes, in real time whatever our clock is.
  const store = await openStore<Tables>(place, { name: 'schedules', migrations, log });
  return embeddedBackend(store, options);
}

/** On a store that is already open; closing the backend closes it. */
export function embeddedBackend(store: ScheduleStore, options: EmbeddedOptions): ScheduleBackend {
  const { notifier, destination, clock = systemClock, log = stderrLog } = options;
  const { graceMs = 300_000, leaseMs = 60_000, slots = 16 } = options;
  const { engine, feed } = store;
  const reader = new TopicReader(store.db);
  const scheduler = new Scheduler({ store, notifier, clock, log, graceMs, leaseMs, slots });

  return {
    destination,
    feed,
    read: (topic) => reader.read(topic),
    topics: () => reader.topics(),
    list: async (topic) => (topic === undefined ? reader.all() : [await reader.read(topic)]),
    addCron: (request) => store.write((writing) => addCron(writing, request, clock.date())),
    addOneOff: (request) => store.write((writing) => addOneOff(writing, request, clock.date())),
    pause: (id) => store.write((writing) => pause(writing, engine, id, clock.date())),
    resume: (id) => store.write((writing) => resume(writing, engine, id, clock.date())),
    remove: (id) => store.write((writing) => remove(writing, engine, id)),
    send: (push) => notifier(push),
    // The feed hears of every change, watched or not.
    watch: () => () => undefined,
    close: async () => {
      await scheduler.close();
      await store.close();
    },
  };
}
