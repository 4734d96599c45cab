// Takes what is due, so that nobody else does. A claim is a lease: whoever has it says how the delivery
// went before it ends, or somebody else delivers again.
//
// Rows are locked where the engine has row locks, and those that others hold are passed over. Each change
// also names what was seen, so that it does nothing if somebody was faster.
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
  /** Somebody who claimed it before never said how it went. */
  again: boolean;
}

export async function claimDue(writing: ScheduleWriting, rules: ClaimRules): Promise<Claimed[]> {
  const fresh = await claimOccurrences(writing, rules);
  const limit = rules.limit - fresh.length;
  return limit > 0 ? [...fresh, ...(await claimUnfinished(writing, { ...rules, limit }))] : fresh;
}
