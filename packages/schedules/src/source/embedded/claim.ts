// A claim: what one process asks for when it takes due deliveries, and each delivery it got.
import type { Destinations } from '../destination/destinations.ts';
import type { Engine } from './entries.ts';

export interface ClaimRules {
  engine: Engine;
  now: number;
  /** How many to take at most. */
  limit: number;
  /** An occurrence that is found later than this counts as missed. */
  graceMs: number;
  leaseMs: number;
  /** The claimant; a new name each time. */
  owner: string;
  /** The process, in the history. */
  node: string;
  destinations: Destinations;
}

/**
 * How long a delivery to a destination that this process cannot use is left to other processes. After that it is
 * claimed all the same, and fails with the reason.
 */
const handOverMs = 10_000;

/** Whether to leave this one to others, for now. */
export function isLeftToOthers(
  { topic, destination }: { topic: string; destination: string | null },
  due: number,
  { destinations, now }: Pick<ClaimRules, 'destinations' | 'now'>,
): boolean {
  return now - due < handOverMs && !destinations.isUsable(topic, destination);
}

export interface Claimed {
  entryId: string;
  occurrence: number;
  topic: string;
  body: string;
  /** The chosen destination; null: that of the topic. */
  destination: string | null;
  /** How often it is tried at most. */
  mostTries: number;
  owner: string;
  /** Counting the one that is about to be made. */
  tries: number;
  /** An earlier claim ended without a result. */
  again: boolean;
}
