// Puts a hub in front of one server of each kind, with subscribers of each kind behind it.
import type { Fault } from './fault.ts';
import { mannersFaults } from './faults/manners.ts';
import { networkFaults } from './faults/network.ts';
import { processFaults } from './faults/process.ts';
import { resourceFaults } from './faults/resources.ts';
import { stdioFaults } from './faults/stdio.ts';
import { ChaosHub, type StoreKind } from './hub.ts';
import { RunnableClock } from './runnable-clock.ts';
import type { ChaosSubscriber } from './subscriber.ts';
import { FeedReader } from './subscribers/feed-reader.ts';
import { McpSubscriber } from './subscribers/mcp-client.ts';
import type { ChaosUpstream, StartUpstream } from './upstream.ts';
import { onHttp, onStdio } from './upstreams/process-upstream.ts';
import { polledHttp, rawHttp } from './upstreams/raw-http.ts';
import { rawStdio } from './upstreams/raw-stdio.ts';

export const allFaults: readonly Fault[] = [
  ...networkFaults,
  ...processFaults,
  ...mannersFaults,
  ...resourceFaults,
  ...stdioFaults,
];

export const upstreamKinds: Readonly<Record<string, StartUpstream>> = {
  'sdk1-http': onHttp('sdk1'),
  'sdk2-http': onHttp('sdk2'),
  'sdk1-stdio': onStdio('sdk1'),
  'sdk2-stdio': onStdio('sdk2'),
  'raw-legacy': rawHttp('legacy'),
  'raw-modern': rawHttp('modern'),
  'raw-stdio': rawStdio,
  polled: polledHttp(),
};

const resourcesEach = 5;
/** How many of a server's resources an MCP client follows. */
const followedEach = 3;
/** So many MCP clients connect at the same time. */
const atOnce = 10;
/** One of so many subscribers reaches the hub through the proxy. */
const proxiedEvery = 5;

export interface ChaosSetup extends AsyncDisposable {
  clock: RunnableClock;
  hub: ChaosHub;
  upstreams: readonly ChaosUpstream[];
  subscribers: readonly ChaosSubscriber[];
}

export async function openChaosSetup(store: StoreKind, clients: number): Promise<ChaosSetup> {
  const opened: (readonly AsyncDisposable[])[] = [];
  const close = async () => {
    for (const some of opened.toReversed()) await Promise.all(some.map((each) => each[Symbol.asyncDispose]()));
  };
  try {
    const upstreams = await Promise.all(Object.entries(upstreamKinds).map(startUpstream));
    opened.push(upstreams);
    const hub = await ChaosHub.open(
      store,
      upstreams.map(({ entry }) => entry),
    );
    opened.push([hub]);
    await hub.isLive();
    const subscribers = await openSubscribers(hub, upstreams, clients);
    opened.push(subscribers);
    const clock = new RunnableClock(() => [...hub.pids, ...upstreams.flatMap(({ pid }) => pid ?? [])]);
    opened.push([clock]);
    return { clock, hub, upstreams, subscribers, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function startUpstream([id, start]: [string, StartUpstream]): Promise<ChaosUpstream> {
  // A scheme of its own: what vanishes would otherwise be asked for at another server with that scheme.
  const uris = Array.from({ length: resourcesEach }, (_, n) => `${id}://notes/${n}`);
  return start(id, Object.fromEntries(uris.map((uri) => [uri, `first text of ${uri}`])));
}

/** MCP clients of both eras, each with some resources of one server, and a few readers of everything. */
async function openSubscribers(
  hub: ChaosHub,
  upstreams: readonly ChaosUpstream[],
  clients: number,
): Promise<ChaosSubscriber[]> {
  const urlOf = (index: number) => () => (index % proxiedEvery === 0 ? hub.clients.url : hub.url);
  const everything = upstreams.flatMap(({ id, uris }) => uris.map((uri) => ({ uri, serverId: id })));
  const subscribers: ChaosSubscriber[] = [];
  for (let n = 0; n < Math.max(2, clients / 40); n += 1) subscribers.push(await FeedReader.open(urlOf(n), everything));
  const open = (n: number) => {
    const { uris } = upstreams[(n >> 1) % upstreams.length] ?? { uris: [] };
    const first = Math.floor(n / (2 * upstreams.length));
    const followed = Array.from({ length: followedEach }, (_, k) => uris[(first + k) % uris.length] ?? '');
    return McpSubscriber.open(n % 2 === 0 ? 'legacy' : 'modern', urlOf(n), followed);
  };
  for (let n = 0; n < clients; n += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, clients - n) }, (_, k) => open(n + k));
    subscribers.push(...(await Promise.all(some)));
  }
  return subscribers;
}
