// Notifications that were given up or missed: kept until they are sent again or deleted.
import { LiveError } from '@tidings/live';
import type { Kysely, Selectable } from 'kysely';
import { type DeadLetter, mostDeadLetters } from '../../model/history.ts';
import { quotedValue } from '../../model/refusal.ts';
import { deadLetterTopicOf } from '../backend.ts';
import { newId } from './entry-id.ts';
import type { DeadLetterRow, EntryRow, ScheduleWriting, ScheduleTables } from './tables.ts';
import { iso } from './topic-content.ts';

interface GivenUp {
  status: DeadLetter['status'];
  at: number;
  occurrence: number;
  reason: string;
}

export async function addDeadLetter(
  { db, announce }: ScheduleWriting,
  entry: Pick<EntryRow, 'id' | 'topic' | 'body' | 'destination' | 'tries'>,
  { status, at, occurrence, reason }: GivenUp,
): Promise<void> {
  const { id: entry_id, topic, body, destination, tries } = entry;
  const row = { id: newId('dead'), topic, entry_id, body, destination, tries, occurrence, status, reason, at };
  await db.insertInto('dead_letter').values(row).execute();
  await db
    .deleteFrom('dead_letter')
    .where('id', 'in', (query) =>
      query
        .selectFrom('dead_letter')
        .select('id')
        .where('topic', '=', topic)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        // SQLite needs a limit for an offset.
        .limit(mostDeadLetters)
        .offset(mostDeadLetters),
    )
    .execute();
  announce(deadLetterTopicOf(topic));
}

/** Removes and returns it; undefined if there is none with this id. */
export async function takeDeadLetter(
  { db, announce }: ScheduleWriting,
  id: string,
): Promise<Selectable<DeadLetterRow> | undefined> {
  const row = await db.deleteFrom('dead_letter').where('id', '=', id).returningAll().executeTakeFirst();
  if (row) announce(deadLetterTopicOf(row.topic));
  return row;
}

/** Deletes the dead letters of a one-off that waits again or was deleted. */
export async function dropDeadLetters(
  { db, announce }: ScheduleWriting,
  { id, topic }: Pick<EntryRow, 'id' | 'topic'>,
): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('dead_letter').where('entry_id', '=', id).executeTakeFirst();
  if (numDeletedRows > 0n) announce(deadLetterTopicOf(topic));
}

export function isDeadLetterId(id: string): boolean {
  return /^dead_[\w-]{1,64}$/.test(id);
}

export function noDeadLetter(id: string): LiveError {
  const problem = `There is no dead letter with the id ${quotedValue(id)}: it may have been sent again or deleted.`;
  return new LiveError('RESOURCE_NOT_FOUND', `${problem} list_dead_letters lists them.`);
}

export async function readDeadLetters(db: Kysely<ScheduleTables>, topic?: string): Promise<DeadLetter[]> {
  const rows = await db
    .selectFrom('dead_letter')
    .selectAll()
    .$if(topic !== undefined, (query) => query.where('topic', '=', topic ?? ''))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostDeadLetters)
    .execute();
  return rows.map(letterOf);
}

function letterOf(row: Selectable<DeadLetterRow>): DeadLetter {
  return {
    dead_letter_id: row.id,
    topic: row.topic,
    schedule_id: row.entry_id,
    notification_body: row.body,
    status: row.status,
    reason: row.reason,
    occurrence: iso(row.occurrence),
    at: iso(row.at),
    ...(row.destination !== null && { destination: row.destination }),
  };
}
