// Claims due occurrences. The next one is computed and stored with the claim.
import { lastOccurrence } from '../../model/cron.ts';
import { parseFired, wasFired, withFired } from '../../model/fired.ts';
import { nextMoment } from './changes.ts';
import { type ClaimRules, type Claimed, isLeftToOthers } from './claim.ts';
import { announceEntry, lastColumns, recordOutcome } from './entries.ts';
import { record } from './history.ts';
import { missedBy } from './missed.ts';
import type { EntryRow, ScheduleWriting } from './tables.ts';
import { iso } from './topic-content.ts';

export async function claimOccurrences(writing: ScheduleWriting, rules: ClaimRules): Promise<Claimed[]> {
  const due = await writing.db
    .selectFrom('entry')
    .selectAll()
    .where('next', '<=', rules.now)
    .orderBy('next')
    .limit(rules.limit)
    .$if(rules.engine === 'postgres', (query) => query.forUpdate().skipLocked())
    .execute();
  const claimed: Claimed[] = [];
  for (const entry of due) {
    if (isLeftToOthers(entry, entry.next ?? rules.now, rules)) continue;
    const claim = await claimOccurrence(writing, entry, rules);
    if (claim) claimed.push(claim);
  }
  return claimed;
}

/** Undefined if it was missed, has been fired before, or was claimed by another process. */
async function claimOccurrence(
  writing: ScheduleWriting,
  entry: EntryRow,
  { now, graceMs, leaseMs, owner, node, destinations }: ClaimRules,
): Promise<Claimed | undefined> {
  const { id, topic, body, cron, timezone } = entry;
  const destination = destinations.nameFor(topic, entry.destination);
  const occurrence = latestOccurrence(entry, now);
  const before = parseFired(entry.fired);
  const again = wasFired(before, occurrence);
  const isExpected = occurrence === entry.next;
  // Found in a search back in time after the clock was set forward: it was already fired, and nothing is missing.
  const isDone = again && !isExpected;
  const missed = isDone ? undefined : missedBy(occurrence, now, graceMs);
  const isFiring = !isDone && missed === undefined;
  const { numUpdatedRows } = await writing.db
    .updateTable('entry')
    .set({
      next: cron === null ? null : nextMoment(cron, timezone, now),
      set_at: now,
      ...(!isDone && { last: occurrence, ...lastColumns(missed) }),
      ...(isFiring &&
        cron !== null && { fired: JSON.stringify(withFired(before, occurrence, occurrenceBefore(entry, occurrence))) }),
    })
    .where('id', '=', id)
    .where('next', '=', entry.next)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  announceEntry(writing, entry);
  if (missed) await recordOutcome(writing, entry, { occurrence, by: node, destination }, missed);
  if (!isFiring) return undefined;
  const { numInsertedOrUpdatedRows } = await writing.db
    .insertInto('delivery')
    .values({
      entry_id: id,
      occurrence,
      tries: 1,
      again: again ? 1 : 0,
      note: noteOf({ again, isExpected, next: entry.next ?? now }),
      owner,
      due: now + leaseMs,
      set_at: now,
    })
    // A delivery from before the clock was set back is still in progress.
    .onConflict((conflict) => conflict.columns(['entry_id', 'occurrence']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) return undefined;
  const fired = { topic, at: now, event: 'fired' as const, entryId: id, occurrence, body, destination, again };
  await record(writing, { ...fired, by: 'schedule' });
  const mostTries = entry.tries ?? destinations.retriesFor(topic, entry.destination).tries;
  return {
    entryId: id,
    occurrence,
    topic,
    body,
    destination: entry.destination,
    mostTries,
    owner,
    tries: 1,
    again,
  };
}

function noteOf({ again, isExpected, next }: { again: boolean; isExpected: boolean; next: number }): string | null {
  if (again) return 'The clock was set back: this one has been sent before.';
  return isExpected ? null : `Occurrences since ${iso(next)} were missed.`;
}

/** The occurrence right before this one. */
function occurrenceBefore({ cron, timezone }: EntryRow, occurrence: number): number | undefined {
  if (cron === null) return undefined;
  return lastOccurrence(cron, timezone ?? 'UTC', new Date(occurrence - 1))?.getTime();
}

/** After downtime, only the latest of the occurrences that have passed counts. */
function latestOccurrence({ cron, timezone, next }: EntryRow, now: number): number {
  const due = next ?? now;
  if (cron === null) return due;
  return Math.max(due, lastOccurrence(cron, timezone ?? 'UTC', new Date(now))?.getTime() ?? due);
}
