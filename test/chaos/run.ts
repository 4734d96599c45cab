// Injects faults, one after the other at each server and at several servers at once, and asks the oracle how
// long it takes until every subscriber holds the truth again.
import type { Fault } from './fault.ts';
import type { Oracle } from './oracle.ts';
import type { Result } from './results.ts';
import type { ChaosUpstream } from './upstream.ts';

export interface RunOptions {
  upstreams: readonly ChaosUpstream[];
  faults: readonly Fault[];
  oracle: Oracle;
  /** Numbers from 0 to 1, the same for the same seed. */
  random: () => number;
  /** Whether there is time for another round. */
  goesOn(this: void): boolean;
  report(this: void, result: Result): void;
}

/** So long the truth is waited for before it counts as lost. */
const patienceMs = 90_000;

export async function run(options: RunOptions): Promise<void> {
  await Promise.all(options.upstreams.map((upstream) => befall(upstream, options)));
}

async function befall(upstream: ChaosUpstream, options: RunOptions): Promise<void> {
  const { faults, goesOn, random, report } = options;
  for (let round = 0; goesOn(); round += 1) {
    const suitable = faults.filter((fault) => fault.suits(upstream));
    // Every kind once before any kind twice.
    const fault = suitable[round % suitable.length];
    if (fault === undefined) return;
    const kind = upstream.kind;
    report({ fault: fault.name, upstream: kind, ...(await oneRound(upstream, fault, options)) });
    await pause(random() * 500);
  }
}

/** Changes before, during and after the fault; the time counts from its end. */
async function oneRound(upstream: ChaosUpstream, fault: Fault, { oracle, random }: RunOptions) {
  const changes = new Map<string, number>();
  const tallied = oracle.count();
  const change = async () => {
    const uris = Object.keys(upstream.resources);
    const uri = uris[Math.floor(random() * uris.length)] ?? '';
    changes.set(uri, (changes.get(uri) ?? 0) + 1);
    await upstream.put(uri, `text ${random()}`);
  };
  if (random() < 0.5) await change();
  await fault.begin(upstream, random);
  await change();
  const { from, to } = fault.lastsMs ?? { from: 0, to: 0 };
  await pause(from + random() * (to - from));
  await change();
  await fault.end?.(upstream);
  if (random() < 0.5) await change();
  const ms = await oracle.timeToTruth(upstream, patienceMs);
  return { ms, ...tallied(changes) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
