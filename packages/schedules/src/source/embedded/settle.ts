// Records the result of a claimed delivery, and releases the claim.
import type { Claimed } from './claim.ts';
import { type Engine, type LastDelivery, dueTopic, lockEntry, recordLast, removeEntry } from './entries.ts';
import type { Outcome } from './retry.ts';
import type { ScheduleWriting } from './tables.ts';
import { iso } from './topic-content.ts';

/** False if the claim was no longer there: the entry was deleted, or the lease had ended. */
export async function settle(
  writing: ScheduleWriting,
  engine: Engine,
  claimed: Claimed,
  outcome: Outcome,
  now: number,
): Promise<boolean> {
  const { entryId, occurrence, again } = claimed;
  const entry = await lockEntry(writing, engine, entryId);
  if (!entry) return false;
  // A paused schedule is not delivered any more.
  const isRetried = outcome.status === 'retrying' && entry.paused === 0;
  const note = isRetried ? await release(writing, claimed, now, outcome.pauseMs) : await finish(writing, claimed);
  if (note === undefined) return false;
  writing.announce(dueTopic);
  if (outcome.status === 'delivered') {
    if (entry.cron === null) await removeEntry(writing, entry);
    else await recordLast(writing, entry, occurrence, { status: 'delivered', at: now, reason: note, again });
    return true;
  }
  const last: LastDelivery = isRetried
    ? { status: 'retrying', at: now, reason: `${outcome.reason} Trying again at ${iso(now + outcome.pauseMs)}.`, again }
    : { status: 'failed', at: now, reason: outcome.reason, again };
  await recordLast(writing, entry, occurrence, last);
  return true;
}

/** Both return the note that came with the claim, and undefined if the claim is gone. */
async function finish({ db }: ScheduleWriting, claimed: Claimed): Promise<string | null | undefined> {
  const row = await db
    .deleteFrom('delivery')
    .where('entry_id', '=', claimed.entryId)
    .where('occurrence', '=', claimed.occurrence)
    .where('owner', '=', claimed.owner)
    .returning('note')
    .executeTakeFirst();
  return row?.note;
}

async function release(
  { db }: ScheduleWriting,
  claimed: Claimed,
  now: number,
  pauseMs: number,
): Promise<string | null | undefined> {
  const row = await db
    .updateTable('delivery')
    .set({ owner: null, due: now + pauseMs, set_at: now })
    .where('entry_id', '=', claimed.entryId)
    .where('occurrence', '=', claimed.occurrence)
    .where('owner', '=', claimed.owner)
    .returning('note')
    .executeTakeFirst();
  return row?.note;
}
