// The common steps of changes to entries. In PostgreSQL the entry's row is the lock for everything that belongs to it:
// it is locked first, then deliveries, then the topic, which prevents deadlocks. SQLite has one writer at a time.
import type { Delivery } from '../../model/schedule.ts';
import { topicOf } from '../backend.ts';
import { addDeadLetter } from './dead-letters.ts';
import { record } from './history.ts';
import type { EntryRow, ScheduleStore, ScheduleWriting } from './tables.ts';
import { leaveTopic } from './topic-list.ts';

export type ScheduleEngine = ScheduleStore['engine'];

/** Announced with every change that may affect the next due time, for schedulers in all processes. */
export const dueTopic = 'scheduler';

export function announceEntry({ announce }: ScheduleWriting, { topic }: Pick<EntryRow, 'topic'>): void {
  announce(topicOf(topic), dueTopic);
}

export async function lockEntry(
  { db }: ScheduleWriting,
  engine: ScheduleEngine,
  id: string,
): Promise<EntryRow | undefined> {
  return db
    .selectFrom('entry')
    .selectAll()
    .where('id', '=', id)
    .$if(engine === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Its deliveries are deleted with it. */
export async function deleteEntry(writing: ScheduleWriting, entry: EntryRow): Promise<void> {
  await writing.db.deleteFrom('entry').where('id', '=', entry.id).execute();
  await leaveTopic(writing, entry.topic);
  announceEntry(writing, entry);
}

export interface LastDelivery {
  status: Delivery['status'];
  at: number;
  reason?: string | null | undefined;
  again?: boolean | undefined;
}

/** The outcome of the last occurrence as columns; empty during its delivery. */
export function lastColumns(delivery?: LastDelivery) {
  return {
    last_status: delivery?.status ?? null,
    last_at: delivery?.at ?? null,
    last_reason: delivery?.reason ?? null,
    last_again: delivery?.again ? 1 : 0,
  };
}

/** The delivery that an outcome belongs to. */
export interface Delivered {
  occurrence: number;
  /** The process, and the destination. */
  by: string;
  destination: string;
  tries?: number | undefined;
}

type DeliveredEntry = Pick<EntryRow, 'id' | 'topic' | 'body' | 'destination' | 'tries'>;

/** An entry shows only its last occurrence; earlier outcomes are in the history. */
export async function recordLast(
  writing: ScheduleWriting,
  entry: DeliveredEntry,
  delivered: Delivered,
  delivery: LastDelivery,
): Promise<void> {
  await writing.db
    .updateTable('entry')
    .set(lastColumns(delivery))
    .where('id', '=', entry.id)
    .where('last', '=', delivered.occurrence)
    .execute();
  await recordOutcome(writing, entry, delivered, delivery);
  announceEntry(writing, entry);
}

/** Adds the outcome to the history, and a dead letter if it is final. */
export async function recordOutcome(
  writing: ScheduleWriting,
  entry: DeliveredEntry,
  { occurrence, by, destination, tries }: Delivered,
  { status, at, reason, again }: LastDelivery,
): Promise<void> {
  const { id: entryId, topic, body } = entry;
  await record(writing, { topic, at, event: status, entryId, by, occurrence, body, destination, tries, reason, again });
  if (status !== 'failed' && status !== 'missed') return;
  await addDeadLetter(writing, entry, { status, at, occurrence, reason: reason ?? 'It does not say why.' });
}
