// One run of the suite on one kind of store: opens everything, injects faults until the time is over, and reports the
// results.
import { hubFaults, endsHub } from './faults/hub.ts';
import type { StoreKind } from './hub.ts';
import { Oracle } from './oracle.ts';
import { type Result, percent } from './results.ts';
import { run } from './run.ts';
import { allFaults, openChaosSetup } from './chaos-setup.ts';

export interface ChaosOptions {
  store: StoreKind;
  seed: number;
  lengthMs: number;
  /** The run ends after this number of faults, or earlier. Default: unlimited. */
  faults?: number | undefined;
  /** The part of the time at the beginning that has no faults. */
  calmMs: number;
  clients: number;
  /** The approximate time between two changes at a server. */
  paceMs: number;
  /** Only this kind of fault. */
  only?: string | undefined;
  /** A soak: one fault in this time. The hub is not killed, and its memory and handles are measured every minute. */
  everyMs?: number | undefined;
  say(this: void, text: string): void;
}

interface HubUse {
  heapMb: number;
  handles: number;
}

export interface ChaosReport {
  results: Result[];
  /** Measured in a soak: `uses` every minute, `rested` at rest before the first fault and after the last. */
  uses: HubUse[];
  rested: HubUse[];
  isRightAtTheEnd: boolean;
}

const slowMs = 5000;
const sampleMs = 60_000;
/** Longer than the hub keeps unused connections. */
const restMs = 80_000;

export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const {
    store,
    seed,
    lengthMs,
    faults = Number.POSITIVE_INFINITY,
    calmMs,
    clients,
    paceMs,
    only,
    everyMs,
    say,
  } = options;
  await using setup = await openChaosSetup(store, clients);
  const oracle = new Oracle(setup.subscribers, setup.clock);
  const atTruth = () => oracle.timeToTruth(setup.upstreams, { since: setup.clock.now(), patienceMs: 60_000 });
  if ((await atTruth()) === undefined)
    throw new Error(`Wrong before any fault: ${JSON.stringify(oracle.wrong(setup.upstreams))}`);
  const report: ChaosReport = { results: [], uses: [], rested: [], isRightAtTheEnd: false };
  const isWanted = ({ name }: { name: string }) => only === undefined || name === only;
  const sample = async (uses: HubUse[]) => {
    const use = await setup.hub.sample();
    uses.push(use);
    say(`the hub uses ${use.heapMb.toFixed(1)} MB and ${use.handles} handles`);
  };
  const rest = async () => {
    if (everyMs === undefined) return;
    await setup.clock.pass(restMs);
    await sample(report.rested);
  };
  await rest();
  const isSoak = everyMs !== undefined;
  const sampling = setInterval(() => void (isSoak && sample(report.uses).catch(() => undefined)), sampleMs);
  await run({
    setup,
    seed,
    lengthMs,
    mostFaults: faults,
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
      for (const { id, uris } of setup.upstreams) {
        const some = wrong.filter(({ uri }) => uris.includes(uri));
        if (some.length === 0) continue;
        say(
          `after ${fault}: ${some.length} wrong\n${JSON.stringify(some.slice(0, 8))}\n${await setup.hub.describe(id)}`,
        );
      }
    },
  });
  clearInterval(sampling);
  say(
    `processes on ${store} waited for a CPU, or the suite was late, for ${percent(setup.clock.waitedShare)} of the time`,
  );
  report.isRightAtTheEnd = (await atTruth()) !== undefined;
  await rest();
  return report;
}
