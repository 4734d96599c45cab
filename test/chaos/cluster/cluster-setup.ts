// Starts a cluster that is connected to servers of several kinds, with subscribers of each kind that have only the
// balancer's address.
import { RunnableClock } from '../runnable-clock.ts';
import { startUpstream, upstreamKinds } from '../chaos-setup.ts';
import type { ChaosSubscriber } from '../subscriber.ts';
import { FeedReader } from '../subscribers/feed-reader.ts';
import type { ChaosUpstream } from '../upstream.ts';
import { BalancedClient } from './balanced-client.ts';
import { ChaosCluster } from './cluster.ts';
import { Conversations, shownIn } from './conversations.ts';
import { Ledger } from './ledger.ts';

const kinds = new Set(['sdk1-http', 'sdk2-stdio', 'raw-legacy', 'raw-modern']);
const conversationCount = 5;
/** The number of a server's resources that a client follows. */
const followedEach = 3;
const feedReaders = 4;
/** The number of clients that connect at the same time. */
const atOnce = 10;

export interface ClusterSetup extends AsyncDisposable {
  clock: RunnableClock;
  cluster: ChaosCluster;
  ledger: Ledger;
  conversations: Conversations;
  upstreams: readonly ChaosUpstream[];
  subscribers: readonly ChaosSubscriber[];
}

export async function openClusterSetup(clients: number, paceMs: number): Promise<ClusterSetup> {
  const opened: (readonly AsyncDisposable[])[] = [];
  const close = async () => {
    for (const some of opened.toReversed()) await Promise.all(some.map((each) => each[Symbol.asyncDispose]()));
  };
  try {
    const conversations = new Conversations(conversationCount);
    const chosen = Object.entries(upstreamKinds).filter(([id]) => kinds.has(id));
    const upstreams: ChaosUpstream[] = [...(await Promise.all(chosen.map(startUpstream))), conversations];
    opened.push(upstreams);
    const ledger = await Ledger.open();
    opened.push([ledger]);
    const schedules = { id: 'schedules', builtin: 'schedules', enabled: true, trackResources: true };
    const servers = [...upstreams.map(({ entry }) => entry), schedules];
    const cluster = await ChaosCluster.open({ servers, sink: ledger.sink.url });
    opened.push([cluster]);
    await cluster.isLive();
    await conversations.begin(cluster.url);
    const subscribers = await openSubscribers(cluster, upstreams, clients);
    opened.push(subscribers);
    const clock = new RunnableClock(() => [...cluster.pids, ...upstreams.flatMap(({ pid }) => pid ?? [])]);
    opened.push([clock]);
    await ledger.begin(cluster.url, paceMs);
    return { clock, cluster, ledger, conversations, upstreams, subscribers, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openSubscribers(
  { url }: ChaosCluster,
  upstreams: readonly ChaosUpstream[],
  clients: number,
): Promise<ChaosSubscriber[]> {
  const everything = upstreams.flatMap(({ id, uris }) => uris.map((uri) => ({ uri, serverId: id })));
  const opening = Array.from({ length: feedReaders }, () => FeedReader.open(() => url, everything, shownIn));
  const subscribers: ChaosSubscriber[] = await Promise.all(opening);
  const open = (n: number) => {
    const { uris } = upstreams[(n >> 1) % upstreams.length] ?? { uris: [] };
    const first = Math.floor(n / (2 * upstreams.length));
    const followed = Array.from({ length: followedEach }, (_, k) => uris[(first + k) % uris.length] ?? '');
    return BalancedClient.open(n % 2 === 0 ? 'legacy' : 'modern', url, followed, shownIn);
  };
  for (let n = 0; n < clients; n += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, clients - n) }, (_, k) => open(n + k));
    subscribers.push(...(await Promise.all(some)));
  }
  return subscribers;
}
