// Claims what is due for this process. A claim is a lease: its owner records the result of the delivery before it
// ends, or another process delivers again.
//
// Rows are locked where the engine has row locks, and those that others hold are passed over. Each change
// also names what was seen, so that it does nothing if another process was faster.
import { claimOccurrences } from './claim-occurrences.ts';
import { claimUnfinished } from './claim-unfinished.ts';
import type { Engine } from './entries.ts';
import type { ScheduleWriting } from './tables.ts';

export interface ClaimRules {
  engine: Engine;
  now: number;
  /** How many to take at most. */
  limit: number;
  /** What is found later than this after it was due is missed. */
  graceMs: number;
  leaseMs: number;
  /** Who claims; a new name each time. */
  owner: string;
}

export interface Claimed {
  entryId: string;
  occurrence: number;
  topic: string;
  body: string;
  owner: string;
  /** Counting the one that is about to be made. */
  tries: number;
  /** An earlier claim ended without a result. */
  again: boolean;
}

export async function claimDue(writing: ScheduleWriting, rules: ClaimRules): Promise<Claimed[]> {
  const fresh = await claimOccurrences(writing, rules);
  const limit = rules.limit - fresh.length;
  return limit > 0 ? [...fresh, ...(await claimUnfinished(writing, { ...rules, limit }))] : fresh;
}
