// One run of the suite on one kind of store: opens everything, injects faults until the time is over, and says
// what came of it.
import { hubFaults, endsHub } from './faults/hub.ts';
import type { StoreKind } from './hub.ts';
import { Oracle } from './oracle.ts';
import type { Result } from './results.ts';
import { run } from './run.ts';
import { allFaults, openScene } from './scene.ts';

export interface ChaosOptions {
  store: StoreKind;
  seed: number;
  lengthMs: number;
  /** Of it, without faults at the beginning. */
  calmMs: number;
  clients: number;
  /** The time between two changes at a server, more or less. */
  paceMs: number;
  /** Only this kind of fault. */
  only?: string | undefined;
  /** A soak: one fault in this time. The hub is not ended, and what it uses is measured every minute. */
  everyMs?: number | undefined;
  say(this: void, text: string): void;
}

export interface HubUse {
  heapMb: number;
  handles: number;
}

export interface ChaosReport {
  results: Result[];
  uses: HubUse[];
  isRightAtTheEnd: boolean;
}

const slowMs = 5000;
const sampleMs = 60_000;

export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const { store, seed, lengthMs, calmMs, clients, paceMs, only, everyMs, say } = options;
  await using scene = await openScene(store, clients);
  const oracle = new Oracle(scene.subscribers);
  const atTruth = () => oracle.timeToTruth(scene.upstreams, { since: performance.now(), patienceMs: 60_000 });
  if ((await atTruth()) === undefined)
    throw new Error(`Wrong before any fault: ${JSON.stringify(oracle.wrong(scene.upstreams))}`);
  const report: ChaosReport = { results: [], uses: [], isRightAtTheEnd: false };
  const isWanted = ({ name }: { name: string }) => only === undefined || name === only;
  const sample = async () => {
    const use = await scene.hub.sample();
    report.uses.push(use);
    say(`the hub uses ${use.heapMb.toFixed(1)} MB and ${use.handles} handles`);
  };
  const sampling = setInterval(() => void (everyMs !== undefined && sample().catch(() => undefined)), sampleMs);
  await run({
    scene,
    seed,
    lengthMs,
    calmMs,
    paceMs,
    faults: allFaults.filter(isWanted),
    hubFaults: hubFaults.filter((fault) => isWanted(fault) && (everyMs === undefined || !endsHub(fault))),
    ...(everyMs !== undefined && { everyMs }),
    report: (result) => {
      report.results.push(result);
      if (result.ms === undefined || result.ms > slowMs) say(`slow: ${JSON.stringify(result)}`);
    },
    slow: async (fault, wrong) => {
      for (const { id, uris } of scene.upstreams) {
        const some = wrong.filter(({ uri }) => uris.includes(uri));
        if (some.length === 0) continue;
        say(
          `after ${fault}: ${some.length} wrong\n${JSON.stringify(some.slice(0, 8))}\n${await scene.hub.describe(id)}`,
        );
      }
    },
  });
  clearInterval(sampling);
  report.isRightAtTheEnd = (await atTruth()) !== undefined;
  return report;
}
