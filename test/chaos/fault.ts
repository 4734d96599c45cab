// A fault as data: what it can befall (a server, or the hub), how it begins and how it ends. One file in faults/
// for each kind.
import type { ChaosUpstream } from './upstream.ts';

export interface Fault<Target = ChaosUpstream> {
  name: string;
  suits(target: Target): boolean;
  begin(target: Target, random: () => number): Promise<void> | void;
  /** Nothing, where the fault is over as soon as it has begun. */
  end?(target: Target): Promise<void> | void;
  /** How long it may last, in milliseconds. */
  lastsMs?: { from: number; to: number };
  /** Nothing else is changed while it lasts: what the fault itself changes is what it is about. */
  isQuiet?: boolean;
}
