// Injects faults: at each server one after the other, at all servers in parallel, and between these phases at the hub.
import { Deck, type Drawn } from './deck.ts';
import type { Fault } from './fault.ts';
import type { ChaosHub } from './hub.ts';
import { hubRound } from './hub-round.ts';
import { Oracle, type Wrong } from './oracle.ts';
import { type Result, noFault } from './results.ts';
import { pause, round } from './round.ts';
import type { ChaosSetup } from './chaos-setup.ts';
import { seededRandom } from './seeded-random.ts';
import type { ChaosUpstream } from './upstream.ts';

export interface RunOptions {
  setup: ChaosSetup;
  faults: readonly Fault[];
  hubFaults: readonly Fault<ChaosHub>[];
  seed: number;
  lengthMs: number;
  /** The run is over after this number of faults, or earlier. */
  mostFaults: number;
  /** How long the changes at the beginning have no faults. */
  calmMs: number;
  /** One fault in this time, at any server; without it, each server has one fault after the other. */
  everyMs?: number;
  /** The approximate time between two changes at a server. */
  paceMs: number;
  report(this: void, result: Result): void;
  /** Called some time after a fault has ended, with the subscribers that are still wrong. */
  slow(this: void, fault: string, wrong: readonly Wrong[]): Promise<void>;
}

const phaseMs = 10_000;
const calm: Drawn<ChaosUpstream> = {
  fault: { name: noFault, suits: () => true, begin: () => undefined },
  lastsMs: 3000,
};

interface Lane {
  upstream: ChaosUpstream;
  deck: Deck<ChaosUpstream>;
  random: () => number;
}

export async function run(options: RunOptions): Promise<void> {
  const { setup, seed, lengthMs, mostFaults, calmMs, everyMs } = options;
  const oracle = new Oracle(setup.subscribers, setup.clock);
  const lanes = setup.upstreams.map((upstream, index): Lane => {
    const [random, forDeck] = [seededRandom(seed * 1000 + index), seededRandom(seed * 1000 + 100 + index)];
    return { upstream, random, deck: new Deck(options.faults, forDeck) };
  });
  const [random, forDeck] = [seededRandom(seed * 1000 + 200), seededRandom(seed * 1000 + 201)];
  const hubDeck = new Deck(options.hubFaults, forDeck);
  const until = performance.now() + lengthMs;
  let faults = 0;
  const isOver = () => performance.now() >= until || faults >= mostFaults;
  await each(lanes, performance.now() + calmMs, (lane) => inject(lane, calm, { ...options, oracle }));
  const turns = new Turns(everyMs);
  while (!isOver()) {
    await each(lanes, Math.min(until, performance.now() + (everyMs === undefined ? phaseMs : 4 * everyMs)), (lane) => {
      const drawn = turns.take() ? lane.deck.draw(lane.upstream) : calm;
      if (drawn === undefined || isOver()) return pause(phaseMs);
      if (drawn !== calm) faults += 1;
      return inject(lane, drawn, { ...options, oracle });
    });
    const drawn = !isOver() && turns.take() ? hubDeck.draw(setup.hub) : undefined;
    if (drawn === undefined) continue;
    faults += 1;
    const lane = forDeck() < 0.5 ? lanes[Math.floor(forDeck() * lanes.length)] : undefined;
    const other = lane?.deck.draw(lane.upstream);
    const companion = lane && other && { upstream: lane.upstream, ...other };
    const slow = (wrong: readonly Wrong[]) => options.slow(`${drawn.fault.name} at the hub`, wrong);
    const outcome = await hubRound(setup, drawn, { companion, oracle, random, paceMs: options.paceMs, slow });
    const also = companion && { also: `${companion.upstream.id}: ${companion.fault.name}` };
    const target = `hub on ${setup.hub.store}`;
    options.report({ fault: drawn.fault.name, target, ...also, ...outcome });
    if (outcome.ms === undefined) oracle.correct(setup.upstreams);
  }
}

/** Acts again and again in each lane, in parallel, until the time is over. */
async function each(lanes: readonly Lane[], until: number, act: (lane: Lane) => Promise<void>): Promise<void> {
  await Promise.all(
    lanes.map(async (lane) => {
      while (performance.now() < until) await act(lane);
    }),
  );
}

async function inject(
  { upstream, random }: Lane,
  drawn: Drawn<ChaosUpstream>,
  options: RunOptions & { oracle: Oracle },
): Promise<void> {
  const slow = (wrong: readonly Wrong[]) => options.slow(`${drawn.fault.name} at ${upstream.id}`, wrong);
  const outcome = await round(upstream, drawn, { ...options, random, slow });
  options.report({ fault: drawn.fault.name, target: upstream.kind, ...outcome });
  if (outcome.ms === undefined) options.oracle.correct([upstream]);
}

/** Decides when the next fault is injected. */
class Turns {
  readonly #everyMs: number | undefined;
  #next = performance.now();

  constructor(everyMs: number | undefined) {
    this.#everyMs = everyMs;
  }

  take(): boolean {
    if (this.#everyMs === undefined) return true;
    if (performance.now() < this.#next) return false;
    this.#next += this.#everyMs;
    return true;
  }
}
