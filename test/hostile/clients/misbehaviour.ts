// An attack of a hostile client, and what attacks have in common.
import { isWhole } from '../../support/run/proof-size.ts';
import type { Attacker } from './attacker.ts';

export interface Misbehaviour {
  name: string;
  attack(this: void, attacker: Attacker, victim: Victim): Promise<unknown>;
}

/** The information about another client that a hostile client may have. */
export interface Victim {
  /** The session of a 2025-era client. */
  sessionId: string;
  /** Changes the watched resource `count` times. */
  change(this: void, count: number): Promise<void>;
}

export const notes = (count: number) => Array.from({ length: count }, (_, n) => `note://of-attacker-${n}`);
/** Attacks that harm by their kind, not by their number, run with a third of the requests in `npm test`. */
export const some = (count: number) => (isWhole ? count : Math.ceil(count / 3));
