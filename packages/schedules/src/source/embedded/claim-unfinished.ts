// Claims deliveries that wait to be tried again, and those whose owner recorded no result.
import { type ClaimRules, type Claimed, isLeftToOthers } from './claim.ts';
import { type LastDelivery, dueTopic, recordLast } from './entries.ts';
import { missedBy } from './missed.ts';
import type { EntryRow, ScheduleWriting, ScheduleTables } from './tables.ts';

type Unfinished = Omit<ScheduleTables['delivery'], 'tries'> &
  Pick<EntryRow, 'id' | 'topic' | 'body' | 'destination' | 'tries'> & {
    /** The number of attempts so far; `tries` is the entry's maximum. */
    tried: number;
  };

export async function claimUnfinished(writing: ScheduleWriting, rules: ClaimRules): Promise<Claimed[]> {
  const due = await writing.db
    .selectFrom('delivery')
    .innerJoin('entry', 'entry.id', 'delivery.entry_id')
    .select([
      'delivery.entry_id',
      'delivery.occurrence',
      'delivery.tries as tried',
      'delivery.again',
      'delivery.note',
      'delivery.owner',
      'delivery.due',
      'delivery.set_at',
    ])
    .select(['entry.id', 'entry.topic', 'entry.body', 'entry.destination', 'entry.tries'])
    .where('delivery.due', '<=', rules.now)
    .orderBy('delivery.due')
    .limit(rules.limit)
    .$if(rules.engine === 'postgres', (query) => query.forUpdate('entry').skipLocked())
    .execute();
  const claimed: Claimed[] = [];
  for (const row of due) {
    if (isLeftToOthers(row, row.due, rules)) continue;
    const end = endOf(row, rules);
    if (end) await giveUp(writing, row, end, rules);
    else if (await take(writing, row, rules)) claimed.push(claimOf(row, rules));
  }
  return claimed;
}

/** The final outcome, if there is no further attempt. */
function endOf(row: Unfinished, rules: ClaimRules): LastDelivery | undefined {
  const { now, graceMs } = rules;
  const again = isAgain(row);
  const missed = missedBy(row.due, now, graceMs);
  if (missed) return { ...missed, again };
  if (row.tried < mostTriesOf(row, rules)) return undefined;
  const reason = `Given up after ${row.tried} tries: each process that sent it ended before it was done.`;
  return { status: 'failed', at: now, reason, again };
}

function mostTriesOf({ topic, destination, tries }: Unfinished, { destinations }: ClaimRules): number {
  return tries ?? destinations.retriesFor(topic, destination).tries;
}

async function giveUp(
  writing: ScheduleWriting,
  row: Unfinished,
  end: LastDelivery,
  { node, destinations }: ClaimRules,
): Promise<void> {
  const { numDeletedRows } = await writing.db
    .deleteFrom('delivery')
    .where('entry_id', '=', row.id)
    .where('occurrence', '=', row.occurrence)
    .where('due', '=', row.due)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  const { occurrence, tried: tries } = row;
  const destination = destinations.nameFor(row.topic, row.destination);
  await recordLast(writing, row, { occurrence, by: node, destination, tries }, end);
}

async function take({ db, announce }: ScheduleWriting, row: Unfinished, rules: ClaimRules): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('delivery')
    .set({
      owner: rules.owner,
      due: rules.now + rules.leaseMs,
      set_at: rules.now,
      tries: row.tried + 1,
      again: isAgain(row) ? 1 : 0,
    })
    .where('entry_id', '=', row.id)
    .where('occurrence', '=', row.occurrence)
    .where('due', '=', row.due)
    .executeTakeFirst();
  announce(dueTopic);
  return numUpdatedRows > 0n;
}

function claimOf(row: Unfinished, rules: ClaimRules): Claimed {
  const { id: entryId, occurrence, topic, body, destination } = row;
  return {
    entryId,
    occurrence,
    topic,
    body,
    destination,
    mostTries: mostTriesOf(row, rules),
    owner: rules.owner,
    tries: row.tried + 1,
    again: isAgain(row),
  };
}

function isAgain({ again, owner }: Unfinished): boolean {
  return again === 1 || owner !== null;
}
