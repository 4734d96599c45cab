// Claims due deliveries for this process. A claim is a lease: its owner records the result of the delivery before it ends,
// or another process delivers again.
//
// Rows are locked where the engine has row locks, and those that others hold are passed over. Each update also compares
// the row with what was read, so that it has no effect if another process was faster.
import type { ClaimRules, Claimed } from './claim.ts';
import { claimOccurrences } from './claim-occurrences.ts';
import { claimUnfinished } from './claim-unfinished.ts';
import type { ScheduleWriting } from './tables.ts';

export async function claimDue(writing: ScheduleWriting, rules: ClaimRules): Promise<Claimed[]> {
  const fresh = await claimOccurrences(writing, rules);
  const limit = rules.limit - fresh.length;
  return limit > 0 ? [...fresh, ...(await claimUnfinished(writing, { ...rules, limit }))] : fresh;
}
