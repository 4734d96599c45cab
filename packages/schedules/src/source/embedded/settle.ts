// Records the result of a claimed delivery, and releases the claim.
import type { Claimed } from './claim.ts';
import {
  type Delivered,
  type ScheduleEngine,
  type LastDelivery,
  dueTopic,
  lockEntry,
  recordLast,
  recordOutcome,
  deleteEntry,
} from './entries.ts';
import type { DeliveryOutcome } from './retry.ts';
import type { ScheduleWriting } from './tables.ts';
import { iso } from './topic-content.ts';

interface Settled extends Pick<Delivered, 'by' | 'destination'> {
  engine: ScheduleEngine;
  claimed: Claimed;
  outcome: DeliveryOutcome;
  now: number;
}

/** Resolves with false if the claim no longer exists: the entry was deleted, or the lease has ended. */
export async function settle(
  writing: ScheduleWriting,
  { engine, claimed, outcome, now, by, destination }: Settled,
): Promise<boolean> {
  const { entryId, occurrence, again, tries } = claimed;
  const entry = await lockEntry(writing, engine, entryId);
  if (!entry) return false;
  // A paused schedule is not retried.
  const isRetried = outcome.status === 'retrying' && entry.paused === 0;
  const note = isRetried ? await release(writing, claimed, now, outcome.pauseMs) : await finish(writing, claimed);
  if (note === undefined) return false;
  writing.announce(dueTopic);
  const delivered = { occurrence, by, destination, tries };
  if (outcome.status === 'delivered') {
    const last: LastDelivery = { status: 'delivered', at: now, reason: note, again };
    if (entry.cron !== null) await recordLast(writing, entry, delivered, last);
    else {
      await recordOutcome(writing, entry, delivered, last);
      await deleteEntry(writing, entry);
    }
    return true;
  }
  const last: LastDelivery = isRetried
    ? { status: 'retrying', at: now, reason: `${outcome.reason} Trying again at ${iso(now + outcome.pauseMs)}.`, again }
    : { status: 'failed', at: now, reason: outcome.reason, again };
  await recordLast(writing, entry, delivered, last);
  return true;
}

/** Both resolve with the note of the claim; undefined if the claim no longer exists. */
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
