// Changes an entry's text, time or destination.
import { LiveError } from '@tidings/live';
import { checkCron } from '../../model/cron.ts';
import type { ScheduleUpdate } from '../../model/schedule.ts';
import type { Changed } from '../backend.ts';
import { type ChangeTerms, changedTo, endWaiting, findEntry, nextMoment, note } from './changes.ts';
import { dropDeadLetters } from './dead-letters.ts';
import { announceEntry, lastColumns } from './entries.ts';
import type { EntryRow, ScheduleWriting } from './tables.ts';

export async function update(
  writing: ScheduleWriting,
  id: string,
  wanted: ScheduleUpdate,
  terms: ChangeTerms,
): Promise<Changed> {
  const entry = await findEntry(writing, terms.engine, id);
  const changes = { ...commonChanges(wanted), ...timeChanges(entry, wanted, terms.now) };
  if (Object.keys(changes).length === 0) return changedTo(entry);
  if (entry.cron === null && wanted.due !== undefined) {
    await endWaiting(writing, entry);
    // A one-off that was given up waits again.
    await dropDeadLetters(writing, entry);
  }
  await writing.db.updateTable('entry').set(changes).where('id', '=', id).execute();
  const updated = { ...entry, ...changes };
  await note(writing, updated, 'updated', terms);
  announceEntry(writing, entry);
  return changedTo(updated);
}

function commonChanges({ message, label, destination, tries }: ScheduleUpdate): Partial<EntryRow> {
  return {
    ...(message !== undefined && { body: message }),
    ...(label !== undefined && { label }),
    ...(destination !== undefined && { destination }),
    ...(tries !== undefined && { tries }),
  };
}

function timeChanges(entry: EntryRow, { cron, timezone, label, due }: ScheduleUpdate, now: number): Partial<EntryRow> {
  if (entry.cron === null) {
    if (cron !== undefined || (timezone !== undefined && due === undefined) || label !== undefined) {
      throw new LiveError(
        'INVALID_PARAMS',
        `${entry.id} is a one-off notification: it has no cron expression and no label. Give delay, datetime or time instead.`,
      );
    }
    return due === undefined ? {} : { next: due, set_at: now, last: null, ...lastColumns() };
  }
  if (due !== undefined) {
    throw new LiveError(
      'INVALID_PARAMS',
      `${entry.id} is a recurring schedule: give cron and timezone, not delay, datetime, date or time.`,
    );
  }
  if (cron === undefined && timezone === undefined) return {};
  // Checked together: an expression may be valid in one time zone and never fire in another.
  const checked = checkCron(cron ?? entry.cron, timezone ?? entry.timezone ?? 'UTC');
  const isSame = checked.cron === entry.cron && checked.timezone === entry.timezone;
  if (isSame) return {};
  const next = entry.paused === 1 ? null : nextMoment(checked.cron, checked.timezone, now);
  // Fired occurrences of the old expression say nothing about the new one.
  return { ...checked, next, set_at: now, fired: null };
}
