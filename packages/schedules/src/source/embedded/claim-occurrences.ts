// Claims occurrences whose time has come. The next one is computed and stored with the claim.
import { lastOccurrence } from '../../model/cron.ts';
import { nextMoment } from './changes.ts';
import type { ClaimRules, Claimed } from './claim.ts';
import { announceEntry, lastColumns } from './entries.ts';
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
    const claim = await claimOccurrence(writing, entry, rules);
    if (claim) claimed.push(claim);
  }
  return claimed;
}

/** Undefined if it was missed, or claimed by somebody else. */
async function claimOccurrence(
  writing: ScheduleWriting,
  entry: EntryRow,
  { now, graceMs, leaseMs, owner }: ClaimRules,
): Promise<Claimed | undefined> {
  const { id, topic, body, cron, timezone } = entry;
  const occurrence = latestOccurrence(entry, now);
  const missed = missedBy(occurrence, now, graceMs);
  const { numUpdatedRows } = await writing.db
    .updateTable('entry')
    .set({ next: cron === null ? null : nextMoment(cron, timezone, now), last: occurrence, ...lastColumns(missed) })
    .where('id', '=', id)
    .where('next', '=', entry.next)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return undefined;
  announceEntry(writing, entry);
  if (missed) return undefined;
  const leaseEnds = now + leaseMs;
  const note = occurrence === entry.next ? null : `Occurrences since ${iso(entry.next ?? now)} were missed.`;
  await writing.db
    .insertInto('delivery')
    .values({ entry_id: id, occurrence, tries: 1, again: 0, note, owner, due: leaseEnds })
    .execute();
  return { entryId: id, occurrence, topic, body, owner, tries: 1, again: false, leaseEnds };
}

/** After downtime only the last of the occurrences that have passed counts. */
function latestOccurrence({ cron, timezone, next }: EntryRow, now: number): number {
  const due = next ?? now;
  if (cron === null) return due;
  return Math.max(due, lastOccurrence(cron, timezone ?? 'UTC', new Date(now))?.getTime() ?? due);
}
