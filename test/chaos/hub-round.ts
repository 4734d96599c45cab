// One round with a fault of the hub, while every server keeps changing; one server may fail at the same time.
import type { Drawn } from './deck.ts';
import { endsHub } from './faults/hub.ts';
import type { ChaosHub } from './hub.ts';
import type { Outcome } from './results.ts';
import { Changes, type RoundOptions, settled } from './round.ts';
import type { ChaosSetup } from './chaos-setup.ts';
import type { ChaosUpstream } from './upstream.ts';

export interface Companion extends Drawn<ChaosUpstream> {
  upstream: ChaosUpstream;
}

export async function hubRound(
  { hub, upstreams, subscribers }: ChaosSetup,
  { fault, lastsMs }: Drawn<ChaosHub>,
  options: RoundOptions & { companion: Companion | undefined },
): Promise<Outcome> {
  const { companion, oracle, random, paceMs } = options;
  const changes = new Changes(random, paceMs / upstreams.length);
  const tally = oracle.count(upstreams);
  // Some changes fall into the window of two seconds that a kill then interrupts.
  await changes.changeFor(random() * 1000, upstreams);
  await companion?.fault.begin(companion.upstream, random);
  await fault.begin(hub, random);
  await changes.changeFor(lastsMs, upstreams);
  await fault.end?.(hub);
  await companion?.fault.end?.(companion.upstream);
  const since = oracle.clock.now();
  if (endsHub(fault)) await Promise.all(subscribers.map((subscriber) => subscriber.hubReturned()));
  return { ...(await settled(options, upstreams, since)), ...tally(changes.counts) };
}
