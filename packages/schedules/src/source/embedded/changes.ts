// The changes that clients make to entries. Each is one transaction that announces the stale topics.
import { LiveError } from '@tidings/live';
import { nextOccurrence } from '../../model/cron.ts';
import { quotedValue } from '../../model/refusal.ts';
import type { CronRequest, OneOff, OneOffRequest, Schedule } from '../../model/schedule.ts';
import type { Changed } from '../backend.ts';
import type { Destinations } from '../destination/destinations.ts';
import { dropDeadLetters, isDeadLetterId, noDeadLetter, takeDeadLetter } from './dead-letters.ts';
import { type ScheduleEngine, announceEntry, lastColumns, lockEntry, recordOutcome, deleteEntry } from './entries.ts';
import { newId } from './entry-id.ts';
import { record } from './history.ts';
import type { EntryRow, ScheduleWriting } from './tables.ts';
import { oneOffOf, scheduleOf } from './topic-content.ts';
import { enterTopic } from './topic-list.ts';

/** The context of a change besides its transaction. */
export interface ChangeTerms {
  engine: ScheduleEngine;
  now: number;
  /** The name of the client that requests it. */
  by: string;
  destinations: Destinations;
}

export async function addCron(
  writing: ScheduleWriting,
  request: CronRequest,
  { now, by }: ChangeTerms,
): Promise<Schedule> {
  const { topic, message, cron, timezone, label = null, destination = null, tries = null } = request;
  const next = nextMoment(cron, timezone, now);
  const row = { ...newRow(newId('cron'), topic, message, now), cron, timezone, label, next, destination, tries };
  await insert(writing, row);
  await note(writing, row, 'created', { now, by });
  return scheduleOf(row);
}

export async function addOneOff(
  writing: ScheduleWriting,
  request: OneOffRequest,
  { now, by }: ChangeTerms,
): Promise<OneOff> {
  const { topic, message, due, destination = null, tries = null } = request;
  const row = { ...newRow(newId('once'), topic, message, now), next: due, destination, tries };
  await insert(writing, row);
  await note(writing, row, 'created', { now, by });
  return oneOffOf(row);
}

export async function pause(writing: ScheduleWriting, id: string, terms: ChangeTerms): Promise<Changed> {
  const { now, by, destinations } = terms;
  const entry = await findSchedule(writing, terms.engine, id, 'paused');
  if (entry.paused === 1) return changedTo(entry);
  // Pending retries are dropped: a paused schedule sends none. A delivery in progress is finished.
  const { numDeletedRows } = await writing.db
    .deleteFrom('delivery')
    .where('entry_id', '=', id)
    .where('owner', 'is', null)
    .executeTakeFirst();
  const reason = `Paused before it was tried again. ${entry.last_reason ?? ''}`.trim();
  const isGivenUp = numDeletedRows > 0n && entry.last_status === 'retrying';
  const last = isGivenUp ? { status: 'failed' as const, at: now, reason } : undefined;
  const changes = { paused: 1, next: null, ...(last && lastColumns(last)) };
  await writing.db.updateTable('entry').set(changes).where('id', '=', id).execute();
  if (last && entry.last !== null) {
    const destination = destinations.nameFor(entry.topic, entry.destination);
    await recordOutcome(writing, entry, { occurrence: entry.last, by, destination }, last);
  }
  await note(writing, entry, 'paused', terms);
  announceEntry(writing, entry);
  return changedTo({ ...entry, ...changes });
}

export async function resume(writing: ScheduleWriting, id: string, terms: ChangeTerms): Promise<Changed> {
  const { now } = terms;
  const entry = await findSchedule(writing, terms.engine, id, 'resumed');
  if (entry.paused === 0) return changedTo(entry);
  const changes = { paused: 0, next: nextMoment(entry.cron, entry.timezone, now), set_at: now };
  await writing.db.updateTable('entry').set(changes).where('id', '=', id).execute();
  await note(writing, entry, 'resumed', terms);
  announceEntry(writing, entry);
  return changedTo({ ...entry, ...changes });
}

/** The topic is read in the same transaction, before the entry is deleted. */
export async function removeById(writing: ScheduleWriting, id: string, terms: ChangeTerms): Promise<Changed> {
  if (isDeadLetterId(id)) return removeDeadLetter(writing, id, terms);
  const entry = await findEntry(writing, terms.engine, id);
  // A failed one-off is its own dead letter. The dead letters of a schedule are kept without it.
  if (entry.cron === null) await dropDeadLetters(writing, entry);
  await deleteEntry(writing, entry);
  await note(writing, entry, 'deleted', terms);
  return { topic: entry.topic };
}

async function removeDeadLetter(writing: ScheduleWriting, id: string, terms: ChangeTerms): Promise<Changed> {
  const letter = await takeDeadLetter(writing, id);
  if (!letter) throw noDeadLetter(id);
  const entry = letter.entry_id === null ? undefined : await lockEntry(writing, terms.engine, letter.entry_id);
  const isGivenUp = entry?.cron === null && entry.next === null;
  if (isGivenUp) await deleteEntry(writing, entry);
  const { topic, entry_id: entryId, body, occurrence } = letter;
  await record(writing, { topic, at: terms.now, event: 'deleted', entryId, by: terms.by, body, occurrence });
  return { topic };
}

export function nextMoment(cron: string, timezone: string | null, now: number): number | null {
  return nextOccurrence(cron, timezone ?? 'UTC', new Date(now))?.getTime() ?? null;
}

export function newRow(id: string, topic: string, body: string, created: number): EntryRow {
  const nothingYet = { cron: null, timezone: null, label: null, paused: 0, next: null, last: null };
  const usual = { destination: null, tries: null };
  return { id, topic, body, created, ...nothingYet, ...lastColumns(), set_at: created, fired: null, ...usual };
}

export async function insert(writing: ScheduleWriting, row: EntryRow): Promise<void> {
  await enterTopic(writing, row.topic);
  await writing.db.insertInto('entry').values(row).execute();
  announceEntry(writing, row);
}

/**
 * Drops the retries of a one-off that is about to get another time. One that is being sent cannot get one: afterwards
 * it is finished.
 */
export async function endWaiting({ db }: ScheduleWriting, { id }: EntryRow): Promise<void> {
  const deliveries = await db.selectFrom('delivery').select('owner').where('entry_id', '=', id).execute();
  if (deliveries.some(({ owner }) => owner !== null)) throw underWay(id);
  await db.deleteFrom('delivery').where('entry_id', '=', id).execute();
}

export function underWay(id: string): LiveError {
  return new LiveError('INVALID_PARAMS', `${id} is being sent right now: see the history of its topic.`);
}

/** A change of an entry, in the history. */
export function note(
  writing: ScheduleWriting,
  { topic, id, body }: EntryRow,
  event: 'created' | 'updated' | 'paused' | 'resumed' | 'deleted',
  { now, by }: Pick<ChangeTerms, 'now' | 'by'>,
): Promise<void> {
  return record(writing, { topic, at: now, event, entryId: id, by, body });
}

export function changedTo(entry: EntryRow): Changed {
  return { topic: entry.topic, now: entry.cron === null ? oneOffOf(entry) : scheduleOf(entry) };
}

export async function findEntry(writing: ScheduleWriting, engine: ScheduleEngine, id: string): Promise<EntryRow> {
  // Invalid ids are not queried: the engine may reject them.
  const entry = /^[\w-]{1,64}$/.test(id) ? await lockEntry(writing, engine, id) : undefined;
  if (entry) return entry;
  const problem = `There is no schedule or notification with the id ${quotedValue(id)}: it may have been deleted or delivered.`;
  throw new LiveError('RESOURCE_NOT_FOUND', `${problem} list_scheduled_notifications lists them.`);
}

async function findSchedule(
  writing: ScheduleWriting,
  engine: ScheduleEngine,
  id: string,
  what: string,
): Promise<EntryRow & { cron: string }> {
  const entry = await findEntry(writing, engine, id);
  const { cron } = entry;
  if (cron !== null) return { ...entry, cron };
  throw new LiveError(
    'INVALID_PARAMS',
    `${id} is a one-off notification, and only recurring schedules can be ${what}. Use delete_schedule to take it back.`,
  );
}
