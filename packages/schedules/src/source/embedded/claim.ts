// A claim: the terms under which a process takes due deliveries, and the deliveries it got.
import type { Destinations } from '../destination/destinations.ts';
import type { ScheduleEngine } from './entries.ts';

export interface ClaimRules {
  engine: ScheduleEngine;
  now: number;
  /** The maximum number of deliveries to take. */
  limit: number;
  /** An occurrence that is more overdue than this counts as missed. */
  graceMs: number;
  leaseMs: number;
  /** The claimant; each claim has a new name. */
  owner: string;
  /** The name of the process in the history. */
  node: string;
  destinations: Destinations;
}

/**
 * How long a delivery to a destination that this process cannot use is left to other processes. After that it is
 * claimed all the same, and fails with the reason.
 */
const handOverMs = 10_000;

/** Whether to leave this delivery to other processes for now. */
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
  /** The maximum number of attempts. */
  mostTries: number;
  owner: string;
  /** Including the next attempt. */
  tries: number;
  /** An earlier claim ended without a result. */
  again: boolean;
}
