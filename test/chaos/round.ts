// One fault at one server: changes before, during and after it, and the time from its end until every subscriber is up
// to date.
import type { Drawn } from './deck.ts';
import type { Oracle, Wrong } from './oracle.ts';
import type { Outcome } from './results.ts';
import type { ChaosUpstream } from './upstream.ts';

/** A subscriber that is not up to date after this long counts as lost. */
const patienceMs = 90_000;
/** Subscribers that are still wrong are reported after each of these times. */
const slowMs = [5000, 20_000];
/** The tracker merges updates within two seconds; later notifications belong to another round. */
const settleMs = 2300;

/** Changes resources and counts the changes by URI. */
export class Changes {
  readonly counts = new Map<string, number>();
  readonly #random: () => number;
  readonly #paceMs: number;

  constructor(random: () => number, paceMs: number) {
    this.#random = random;
    this.#paceMs = paceMs;
  }

  async change(upstream: ChaosUpstream): Promise<void> {
    const uris = Object.keys(upstream.resources);
    const uri = uris[Math.floor(this.#random() * uris.length)] ?? '';
    this.note(uri);
    await upstream.put(uri, `text ${this.#random()}`);
  }

  /** Makes changes for `ms`, with pauses of about the pace. */
  async changeFor(ms: number, upstreams: readonly ChaosUpstream[]): Promise<void> {
    const until = performance.now() + ms;
    for (let turn = 0; ; turn += 1) {
      const left = until - performance.now();
      if (left <= 0) return;
      await pause(Math.min(left, this.#paceMs * (0.2 + 1.6 * this.#random())));
      const upstream = upstreams[turn % upstreams.length];
      if (upstream !== undefined) await this.change(upstream);
    }
  }

  note(uri: string): void {
    this.counts.set(uri, (this.counts.get(uri) ?? 0) + 1);
  }

  /** Changes that the fault itself made count as well. */
  noteDifference(before: Readonly<Record<string, string>>, { uris, resources }: ChaosUpstream): void {
    for (const uri of uris) if (before[uri] !== resources[uri]) this.note(uri);
  }
}

export interface RoundOptions {
  oracle: Oracle;
  random: () => number;
  /** The approximate time between two changes. */
  paceMs: number;
  /** Called with the subscribers that have been wrong for a while. */
  slow(this: void, wrong: readonly Wrong[]): Promise<void>;
}

export async function round(
  upstream: ChaosUpstream,
  { fault, lastsMs }: Drawn<ChaosUpstream>,
  options: RoundOptions,
): Promise<Outcome> {
  const { oracle, random, paceMs } = options;
  const changes = new Changes(random, paceMs);
  const tally = oracle.count([upstream]);
  const isQuiet = fault.isQuiet === true;
  if (!isQuiet && random() < 0.5) await changes.change(upstream);
  await noting(upstream, changes, () => fault.begin(upstream, random));
  if (isQuiet) await pause(lastsMs);
  else await changes.changeFor(lastsMs, [upstream]);
  await noting(upstream, changes, () => fault.end?.(upstream));
  const since = oracle.clock.now();
  // Without a change after the fault, a subscriber that is still cut off would not be noticed.
  if (!isQuiet) await changes.change(upstream);
  return { ...(await settled(options, [upstream], since)), ...tally(changes.counts) };
}

/** Waits until subscribers are up to date, and then until no more notifications arrive. */
export async function settled(
  { oracle, slow }: Pick<RoundOptions, 'oracle' | 'slow'>,
  upstreams: readonly ChaosUpstream[],
  since: number,
): Promise<{ ms: number | undefined }> {
  let ms: number | undefined;
  for (const late of slowMs) {
    ms = await oracle.timeToTruth(upstreams, { since, patienceMs: late });
    if (ms !== undefined) break;
    await slow(oracle.wrong(upstreams));
  }
  ms ??= await oracle.timeToTruth(upstreams, { since, patienceMs });
  await oracle.clock.pass(settleMs);
  return { ms };
}

async function noting(upstream: ChaosUpstream, changes: Changes, act: () => Promise<void> | void): Promise<void> {
  const before = { ...upstream.resources };
  await act();
  changes.noteDifference(before, upstream);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
