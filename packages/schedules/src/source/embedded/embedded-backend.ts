// Schedules in the store, fired by this process or any other that shares the store.
import { messageOf } from '@tidings/live/portable';
import { hostname } from 'node:os';
import { type Bus, type Clock, type Log, stderrLog, systemClock } from '@tidings/live';
import { openStore } from '@tidings/store';
import type { ScheduleBackend } from '../backend.ts';
import type { Push } from '../destination/destination.ts';
import type { Destinations } from '../destination/destinations.ts';
import { addCron, addOneOff, type ChangeTerms, pause, removeById, resume } from './changes.ts';
import { openDatabaseClock } from './database-clock.ts';
import { readDeadLetters } from './dead-letters.ts';
import { fire, resend } from './fire.ts';
import { HistoryReader, record } from './history.ts';
import { Scheduler } from './scheduler.ts';
import { type ScheduleStore, type ScheduleWriting, type ScheduleTables, migrations } from './tables.ts';
import { TopicReader } from './topic-content.ts';
import { update } from './update.ts';

export interface EmbeddedOptions {
  destinations: Destinations;
  /** Default: that of the database, if it is PostgreSQL, which processes on several machines may share. */
  clock?: Clock | undefined;
  log?: Log;
  /** The name of this process in the history. Default: its machine and its id. */
  node?: string;
  /** Notifications that became due during downtime are delivered up to this much later. Default: 5 minutes. */
  graceMs?: number;
  /** The time limit of one delivery, after which other processes take it over. Default: 1 minute. */
  leaseMs?: number;
  /** The number of concurrent deliveries. Default: 16. */
  slots?: number;
}

/** `place` is a data folder or a postgres:// URL. */
export async function openEmbeddedBackend(
  options: EmbeddedOptions & { place: string; bus?: Bus | undefined },
): Promise<ScheduleBackend> {
  const { place, bus, log = stderrLog } = options;
  // Not with our clock: the store waits for other processes in real time.
  const store = await openStore<ScheduleTables>(place, { name: 'schedules', migrations, log, ...(bus && { bus }) });
  if (options.clock !== undefined || store.engine !== 'postgres') return embeddedBackend(store, options);
  const clock = await openDatabaseClock(store, log).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const backend = embeddedBackend(store, { ...options, clock });
  return {
    ...backend,
    close: async () => {
      clock.close();
      await backend.close();
    },
  };
}

/** On a store that is already open; closing the backend closes it. */
export function embeddedBackend(store: ScheduleStore, options: EmbeddedOptions): ScheduleBackend {
  const { destinations, clock = systemClock, log = stderrLog, node = `${hostname()}:${process.pid}` } = options;
  const { graceMs = 300_000, leaseMs = 60_000, slots = 16 } = options;
  const { engine, feed } = store;
  const reader = new TopicReader(store.db);
  const history = new HistoryReader(store.db);
  const scheduler = new Scheduler({ store, destinations, node, clock, log, graceMs, leaseMs, slots });
  const change = <T>(by: string, work: (writing: ScheduleWriting, terms: ChangeTerms) => Promise<T>): Promise<T> =>
    store.write((writing) => work(writing, { engine, now: clock.date(), by, destinations }));

  return {
    destinations,
    clock,
    feed,
    read: (topic) => reader.read(topic),
    topics: () => reader.topics(),
    list: async (topic) => (topic === undefined ? reader.all() : [await reader.read(topic)]),
    history: (topic) => history.read(topic),
    deadLetters: (topic) => readDeadLetters(store.db, topic),
    addCron: (request, by) => change(by, (writing, terms) => addCron(writing, request, terms)),
    addOneOff: (request, by) => change(by, (writing, terms) => addOneOff(writing, request, terms)),
    update: (id, wanted, by) => change(by, (writing, terms) => update(writing, id, wanted, terms)),
    pause: (id, by) => change(by, (writing, terms) => pause(writing, id, terms)),
    resume: (id, by) => change(by, (writing, terms) => resume(writing, id, terms)),
    remove: (id, by) => change(by, (writing, terms) => removeById(writing, id, terms)),
    fire: (id, by) => change(by, (writing, terms) => fire(writing, id, terms)),
    resend: (id, by) => change(by, (writing, terms) => resend(writing, id, terms)),
    send: (push, chosen, by) => sendNow(push, chosen, by),
    // The feed reports every change anyway.
    watch: () => () => undefined,
    close: async () => {
      await scheduler.close();
      await store.close();
    },
  };

  /** The outcome is in the history. A failure is returned to the caller, so it is not a dead letter. */
  async function sendNow(push: Push, chosen: string | undefined, by: string): Promise<void> {
    const { topic, message: body } = push;
    const sent = { topic, entryId: null, by, body, destination: destinations.nameFor(topic, chosen) };
    try {
      await destinations.send(push, chosen);
    } catch (error) {
      const reason = messageOf(error);
      await store.write((writing) => record(writing, { ...sent, at: clock.date(), event: 'failed', reason }));
      throw error;
    }
    await store.write((writing) => record(writing, { ...sent, at: clock.date(), event: 'delivered' }));
  }
}
