// The changes that clients make to entries. Each is one transaction that announces what it made stale.
import { LiveError } from '@tidings/live';
import { nextOccurrence } from '../../model/cron.ts';
import { quoted } from '../../model/refusal.ts';
import type { CronRequest, OneOff, OneOffRequest, Schedule } from '../../model/schedule.ts';
import { type Engine, announceEntry, lastColumns, lockEntry, removeEntry } from './entries.ts';
import { newId } from './entry-id.ts';
import type { EntryRow, ScheduleWriting } from './tables.ts';
import { oneOffOf, scheduleOf } from './topic-content.ts';
import { enterTopic } from './topic-roll.ts';

export async function addCron(writing: ScheduleWriting, request: CronRequest, now: number): Promise<Schedule> {
  const { topic, message, cron, timezone, label = null } = request;
  const next = nextMoment(cron, timezone, now);
  const row = { ...newRow(newId('cron'), topic, message, now), cron, timezone, label, next };
  await insert(writing, row);
  return scheduleOf(row);
}

export async function addOneOff(writing: ScheduleWriting, request: OneOffRequest, now: number): Promise<OneOff> {
  const { topic, message, due } = request;
  const row = { ...newRow(newId('once'), topic, message, now), next: due };
  await insert(writing, row);
  return oneOffOf(row);
}

export async function pause(writing: ScheduleWriting, engine: Engine, id: string, now: number): Promise<string> {
  const entry = await findSchedule(writing, engine, id);
  if (entry.paused === 1) return entry.topic;
  // Retries that wait are dropped: a paused schedule sends none. A delivery under way is finished.
  const { numDeletedRows } = await writing.db
    .deleteFrom('delivery')
    .where('entry_id', '=', id)
    .where('owner', 'is', null)
    .executeTakeFirst();
  const reason = `Paused before it was tried again. ${entry.last_reason ?? ''}`.trim();
  const isGivenUp = numDeletedRows > 0n && entry.last_status === 'retrying';
  await writing.db
    .updateTable('entry')
    .set({ paused: 1, next: null, ...(isGivenUp && lastColumns({ status: 'failed', at: now, reason })) })
    .where('id', '=', id)
    .execute();
  announceEntry(writing, entry);
  return entry.topic;
}

export async function resume(writing: ScheduleWriting, engine: Engine, id: string, now: number): Promise<string> {
  const entry = await findSchedule(writing, engine, id);
  if (entry.paused === 0) return entry.topic;
  const next = nextMoment(entry.cron, entry.timezone, now);
  await writing.db.updateTable('entry').set({ paused: 0, next, set_at: now }).where('id', '=', id).execute();
  announceEntry(writing, entry);
  return entry.topic;
}

/** The topic is read in the same transaction, before it is gone. */
export async function remove(writing: ScheduleWriting, engine: Engine, id: string): Promise<string> {
  const entry = await find(writing, engine, id);
  await removeEntry(writing, entry);
  return entry.topic;
}

export function nextMoment(cron: string, timezone: string | null, now: number): number | null {
  return nextOccurrence(cron, timezone ?? 'UTC', new Date(now))?.getTime() ?? null;
}

function newRow(id: string, topic: string, body: string, created: number): EntryRow {
  const nothingYet = { cron: null, timezone: null, label: null, paused: 0, next: null, last: null };
  return { id, topic, body, created, ...nothingYet, ...lastColumns(), set_at: created, fired: null };
}

async function insert(writing: ScheduleWriting, row: EntryRow): Promise<void> {
  await enterTopic(writing, row.topic);
  await writing.db.insertInto('entry').values(row).execute();
  announceEntry(writing, row);
}

async function find(writing: ScheduleWriting, engine: Engine, id: string): Promise<EntryRow> {
  // What cannot be an id is not queried: the engine may reject it.
  const entry = /^[\w-]{1,64}$/.test(id) ? await lockEntry(writing, engine, id) : undefined;
  if (entry) return entry;
  const problem = `There is no schedule or notification with the id ${quoted(id)}: it may have been deleted or delivered.`;
  throw new LiveError('RESOURCE_NOT_FOUND', `${problem} Use list_scheduled_notifications to see what there is.`);
}

async function findSchedule(
  writing: ScheduleWriting,
  engine: Engine,
  id: string,
): Promise<EntryRow & { cron: string }> {
  const entry = await find(writing, engine, id);
  const { cron } = entry;
  if (cron !== null) return { ...entry, cron };
  throw new LiveError(
    'INVALID_PARAMS',
    `${id} is a one-off notification, and only recurring schedules can be paused. Use delete_schedule to take it back.`,
  );
}
