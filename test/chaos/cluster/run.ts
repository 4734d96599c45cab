// Injects faults into a cluster, one after the other, while servers change and clients write, and returns the results.
import type { ChaosOptions } from '../chaos.ts';
import { Deck, type Drawn } from '../deck.ts';
import { Oracle } from '../oracle.ts';
import { type Outcome, type Result, noFault, percent } from '../results.ts';
import { Changes, type RoundOptions, pause, settled } from '../round.ts';
import { seededRandom } from '../seeded-random.ts';
import { type ClusterTarget, clusterFaults } from './faults.ts';
import type { LedgerResult } from './ledger.ts';
import { type ClusterSetup, openClusterSetup } from './cluster-setup.ts';

export type ClusterChaosOptions = Omit<ChaosOptions, 'store' | 'everyMs'>;

export interface ClusterChaosReport {
  results: Result[];
  ledger: LedgerResult;
  /** The number of notifications that subscribers received. */
  notified: number;
  isRightAtTheEnd: boolean;
}

const slowMs = 5000;
const calm: Drawn<ClusterTarget> = {
  fault: { name: noFault, suits: () => true, begin: () => undefined },
  lastsMs: 3000,
};

export async function clusterChaos(options: ClusterChaosOptions): Promise<ClusterChaosReport> {
  const { seed, lengthMs, faults = Number.POSITIVE_INFINITY, calmMs, clients, paceMs, only, say } = options;
  await using setup = await openClusterSetup(clients, paceMs);
  const { cluster, clock, upstreams, subscribers, ledger } = setup;
  const oracle = new Oracle(subscribers, clock);
  const atTruth = () => oracle.timeToTruth(upstreams, { since: clock.now(), patienceMs: 60_000 });
  if ((await atTruth()) === undefined) {
    throw new Error(`Wrong before any fault: ${JSON.stringify(oracle.wrong(upstreams))}`);
  }
  const [random, forDeck] = [seededRandom(seed * 1000), seededRandom(seed * 1000 + 1)];
  const wanted = clusterFaults.filter(({ name }) => only === undefined || name === only);
  const deck = new Deck(wanted, forDeck);
  const results: Result[] = [];
  const [began, until] = [performance.now(), performance.now() + lengthMs];
  for (let count = 0; performance.now() < until && count < faults;) {
    const node = cluster.nodes[Math.floor(forDeck() * cluster.nodes.length)];
    if (node === undefined) throw new Error('There is no node.');
    const target = { cluster, node };
    const drawn = performance.now() - began < calmMs ? calm : (deck.draw(target) ?? calm);
    if (drawn !== calm) count += 1;
    const slow: RoundOptions['slow'] = async (wrong) => {
      for (const { id, uris } of upstreams) {
        const some = wrong.filter(({ uri }) => uris.includes(uri));
        if (some.length === 0) continue;
        const words = JSON.stringify([...some.slice(0, 4), ...setup.conversations.failures]);
        say(`after ${drawn.fault.name}: ${some.length} wrong\n${words}\n${await cluster.describe(id)}`);
      }
    };
    const outcome = await clusterRound(setup, target, drawn, { oracle, random, paceMs, slow });
    const result = { fault: drawn.fault.name, target: 'cluster', ...outcome };
    results.push(result);
    if (outcome.ms === undefined || outcome.ms > slowMs) say(`slow: ${JSON.stringify(result)}`);
    if (outcome.ms === undefined) oracle.correct(upstreams);
  }
  say(`processes waited for a CPU, or the suite was late, for ${percent(clock.waitedShare)} of the time`);
  const isRightAtTheEnd = (await atTruth()) !== undefined;
  const notified = subscribers.reduce((sum, each) => sum + [...each.notified.values()].reduce((a, b) => a + b, 0), 0);
  return { results, notified, isRightAtTheEnd, ledger: await ledger.close(cluster.nodes.map(({ url }) => url)) };
}

async function clusterRound(
  { upstreams }: ClusterSetup,
  target: ClusterTarget,
  { fault, lastsMs }: Drawn<ClusterTarget>,
  options: RoundOptions,
): Promise<Outcome> {
  const { oracle, random, paceMs } = options;
  const changes = new Changes(random, paceMs / upstreams.length);
  const tally = oracle.count(upstreams);
  await changes.changeFor(random() * 1000, upstreams);
  await fault.begin(target, random);
  await Promise.all([changes.changeFor(lastsMs, upstreams), pause(lastsMs)]);
  await fault.end?.(target);
  const since = oracle.clock.now();
  for (const upstream of upstreams) await changes.change(upstream);
  return { ...(await settled(options, upstreams, since)), ...tally(changes.counts) };
}
