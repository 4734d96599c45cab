// Deliveries that a client requests: of a schedule or one-off now, and of a dead letter once more.
import type { Changed } from '../backend.ts';
import { type ChangeTerms, changedTo, endWaiting, findEntry, insert, newRow, underWay } from './changes.ts';
import { dropDeadLetters, isDeadLetterId, noDeadLetter, takeDeadLetter } from './dead-letters.ts';
import { announceEntry, lastColumns, lockEntry } from './entries.ts';
import { newId } from './entry-id.ts';
import { record } from './history.ts';
import type { EntryRow, ScheduleWriting } from './tables.ts';

export async function fire(writing: ScheduleWriting, id: string, terms: ChangeTerms): Promise<Changed> {
  const { now, by, destinations } = terms;
  const entry = await findEntry(writing, terms.engine, id);
  const { topic, body, cron } = entry;
  const destination = destinations.nameFor(topic, entry.destination);
  if (cron === null) {
    const changes = await dueNow(writing, entry, now);
    await record(writing, { topic, at: now, event: 'fired', entryId: id, by, body, destination });
    return changedTo({ ...entry, ...changes });
  }
  // Without an owner and due at once: any process claims it next.
  const { numInsertedOrUpdatedRows } = await writing.db
    .insertInto('delivery')
    .values({ entry_id: id, occurrence: now, tries: 0, again: 0, note: null, owner: null, due: now, set_at: now })
    .onConflict((conflict) => conflict.columns(['entry_id', 'occurrence']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw underWay(id);
  const changes = { last: now, ...lastColumns() };
  await writing.db.updateTable('entry').set(changes).where('id', '=', id).execute();
  await record(writing, { topic, at: now, event: 'fired', entryId: id, by, occurrence: now, body, destination });
  announceEntry(writing, entry);
  return changedTo({ ...entry, ...changes });
}

export async function resend(writing: ScheduleWriting, id: string, terms: ChangeTerms): Promise<Changed> {
  const { now, by, destinations } = terms;
  const letter = isDeadLetterId(id) ? await takeDeadLetter(writing, id) : undefined;
  if (!letter) throw noDeadLetter(id);
  const { topic, body, occurrence } = letter;
  const known = letter.entry_id === null ? undefined : await lockEntry(writing, terms.engine, letter.entry_id);
  const isOwnOneOff = known?.cron === null && known.next === null;
  const entry = isOwnOneOff
    ? { ...known, ...(await dueNow(writing, known, now)) }
    : { ...newRow(newId('once'), topic, body, now), destination: letter.destination, tries: letter.tries, next: now };
  if (!isOwnOneOff) await insert(writing, entry);
  const destination = destinations.nameFor(topic, entry.destination);
  await record(writing, { topic, at: now, event: 'resent', entryId: entry.id, by, occurrence, body, destination });
  return changedTo(entry);
}

/** Makes a one-off due at once, in any state. */
async function dueNow(writing: ScheduleWriting, entry: EntryRow, now: number): Promise<Partial<EntryRow>> {
  await endWaiting(writing, entry);
  const changes = { next: now, set_at: now, last: null, ...lastColumns() };
  await writing.db.updateTable('entry').set(changes).where('id', '=', entry.id).execute();
  await dropDeadLetters(writing, entry);
  announceEntry(writing, entry);
  return changes;
}
