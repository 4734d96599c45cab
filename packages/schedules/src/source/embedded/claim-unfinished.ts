// Claims deliveries that wait to be tried again, and those whose owner recorded no result.
import type { ClaimRules, Claimed } from './claim.ts';
import { type LastDelivery, dueTopic, recordLast } from './entries.ts';
import { missedBy } from './missed.ts';
import { mostTries } from './retry.ts';
import type { EntryRow, ScheduleWriting, Tables } from './tables.ts';

type Unfinished = Tables['delivery'] & Pick<EntryRow, 'id' | 'topic' | 'body'>;

export async function claimUnfinished(writing: ScheduleWriting, rules: ClaimRules): Promise<Claimed[]> {
  const due = await writing.db
    .selectFrom('delivery')
    .innerJoin('entry', 'entry.id', 'delivery.entry_id')
    .selectAll('delivery')
    .select(['entry.id', 'entry.topic', 'entry.body'])
    .where('delivery.due', '<=', rules.now)
    .orderBy('delivery.due')
    .limit(rules.limit)
    .$if(rules.engine === 'postgres', (query) => query.forUpdate('entry').skipLocked())
    .execute();
  const claimed: Claimed[] = [];
  for (const row of due) {
    const end = endOf(row, rules);
    if (end) await giveUp(writing, row, end);
    else if (await take(writing, row, rules)) claimed.push(claimOf(row, rules));
  }
  return claimed;
}

/** How it ends, if it is not worth another try. */
function endOf(row: Unfinished, { now, graceMs }: ClaimRules): LastDelivery | undefined {
  const again = isAgain(row);
  const missed = missedBy(row.due, now, graceMs);
  if (missed) return { ...missed, again };
  if (row.tries < mostTries) return undefined;
  const reason = `Given up after ${row.tries} tries: each process that sent it ended before it was done.`;
  return { status: 'failed', at: now, reason, again };
}

async function giveUp(writing: ScheduleWriting, row: Unfinished, end: LastDelivery): Promise<void> {
  const { numDeletedRows } = await writing.db
    .deleteFrom('delivery')
    .where('entry_id', '=', row.id)
    .where('occurrence', '=', row.occurrence)
    .where('due', '=', row.due)
    .executeTakeFirst();
  if (numDeletedRows > 0n) await recordLast(writing, row, row.occurrence, end);
}

async function take({ db, announce }: ScheduleWriting, row: Unfinished, rules: ClaimRules): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('delivery')
    .set({
      owner: rules.owner,
      due: rules.now + rules.leaseMs,
      set_at: rules.now,
      tries: row.tries + 1,
      again: isAgain(row) ? 1 : 0,
    })
    .where('entry_id', '=', row.id)
    .where('occurrence', '=', row.occurrence)
    .where('due', '=', row.due)
    .executeTakeFirst();
  announce(dueTopic);
  return numUpdatedRows > 0n;
}

function claimOf(row: Unfinished, { owner }: ClaimRules): Claimed {
  const { id: entryId, occurrence, topic, body } = row;
  return {
    entryId,
    occurrence,
    topic,
    body,
    owner,
    tries: row.tries + 1,
    again: isAgain(row),
  };
}

function isAgain({ again, owner }: Unfinished): boolean {
  return again === 1 || owner !== null;
}
