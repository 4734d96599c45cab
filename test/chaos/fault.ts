// A fault as data: whom it can befall, how it begins and how it ends. One file in faults/ for each kind.
import type { ChaosUpstream } from './upstream.ts';

export interface Fault {
  name: string;
  suits(upstream: ChaosUpstream): boolean;
  begin(upstream: ChaosUpstream, random: () => number): Promise<void> | void;
  /** Nothing, where the fault is over as soon as it has begun. */
  end?(upstream: ChaosUpstream): Promise<void> | void;
  /** How long it may last, in milliseconds. */
  lastsMs?: { from: number; to: number };
}
