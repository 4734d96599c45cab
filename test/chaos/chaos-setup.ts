// Starts one server of each kind, a hub that is connected to them, and subscribers of each kind behind the hub.
import type { Fault } from './fault.ts';
import { httpServerFaults } from './faults/http-server.ts';
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
  ...httpServerFaults,
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
/** The number of a server's resources that an MCP client follows. */
const followedEach = 3;
/** The number of MCP clients that connect at the same time. */
const atOnce = 10;
/** Every fifth subscriber reaches the hub through the proxy. */
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
  // Each server has its own URI scheme: otherwise the hub would look for a removed resource at another server.
  const uris = Array.from({ length: resourcesEach }, (_, n) => `${id}://notes/${n}`);
  return start(id, Object.fromEntries(uris.map((uri) => [uri, `first text of ${uri}`])));
}

/**
 * MCP clients of both eras that follow some resources of one server, and a few event stream readers that follow all.
 */
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
