// A fault as data: the targets it applies to (a server or the hub), how it begins and how it ends. faults/ has one file
// per kind.
import type { ChaosUpstream } from './upstream.ts';

export interface Fault<Target = ChaosUpstream> {
  name: string;
  suits(target: Target): boolean;
  begin(target: Target, random: () => number): Promise<void> | void;
  /** Absent if the fault is over as soon as it has begun. */
  end?(target: Target): Promise<void> | void;
  /** The range of its duration in milliseconds. */
  lastsMs?: { from: number; to: number };
  /** No other changes are made during the fault, because the fault itself changes resources. */
  isQuiet?: boolean;
}
