// Recomputes values that were computed while the clock was ahead: the next occurrences of schedules, one-offs that were
// wrongly recorded as missed, and the ends of leases and pauses.
import { nextMoment } from './changes.ts';
import type { ClaimRules } from './claim.ts';
import { dropDeadLetters } from './dead-letters.ts';
import { announceEntry, dueTopic, lastColumns } from './entries.ts';
import type { EntryRow, ScheduleWriting } from './tables.ts';

/** Clocks of several machines always differ a little, and small corrections are not jumps. */
export const toleranceMs = 60_000;

/** Entries per transaction: a longer one would block other writers. */
const atOnce = 200;

/** Returns the number of recomputed entries and deliveries; 0 when done. */
export async function computeAgain(
  writing: ScheduleWriting,
  { engine, now, graceMs }: Pick<ClaimRules, 'engine' | 'now' | 'graceMs'>,
): Promise<number> {
  const entries = await writing.db
    .selectFrom('entry')
    .selectAll()
    .where('set_at', '>', now + toleranceMs)
    // In a fixed order, so that two processes cannot deadlock.
    .orderBy('id')
    .limit(atOnce)
    // Waits for rows that another process has locked: if they were skipped, they would stay wrong.
    .$if(engine === 'postgres', (query) => query.forUpdate())
    .execute();
  for (const entry of entries) await computeEntry(writing, entry, now, graceMs);
  return entries.length + (await computeDeliveries(writing, now));
}

async function computeEntry(writing: ScheduleWriting, entry: EntryRow, now: number, graceMs: number): Promise<void> {
  const changes = changesTo(entry, now, graceMs);
  await writing.db
    .updateTable('entry')
    .set({ ...changes, set_at: now })
    .where('id', '=', entry.id)
    .execute();
  if (!changes) return;
  // A one-off that was wrongly recorded as missed waits again.
  if (entry.cron === null) await dropDeadLetters(writing, entry);
  announceEntry(writing, entry);
}

function changesTo(entry: EntryRow, now: number, graceMs: number): Partial<EntryRow> | undefined {
  const { cron, timezone, next, last } = entry;
  if (cron !== null) {
    // Paused, or already due.
    if (next === null || next <= now) return undefined;
    const right = nextMoment(cron, timezone, now);
    return right === next ? undefined : { next: right };
  }
  const isMissed = next === null && last !== null && entry.last_status === 'missed';
  return isMissed && last + graceMs >= now ? { next: last, last: null, ...lastColumns() } : undefined;
}

/** Leases and pauses start again with their full length. */
async function computeDeliveries({ db, announce }: ScheduleWriting, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('delivery')
    .set((eb) => ({ due: eb('due', '+', eb(eb.val(now), '-', eb.ref('set_at'))), set_at: now }))
    .where('set_at', '>', now + toleranceMs)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) announce(dueTopic);
  return Number(numUpdatedRows);
}
