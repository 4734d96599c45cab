// A claim: what one process asks for when it takes due deliveries, and each delivery it got.
import type { Engine } from './entries.ts';

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
