// Puts a hub in front of one server of each kind, with subscribers of each kind behind it.
import type { Fault } from './fault.ts';
import { mannersFaults } from './faults/manners.ts';
import { networkFaults } from './faults/network.ts';
import { processFaults } from './faults/process.ts';
import type { Subscriber } from './subscriber.ts';
import { FeedReader } from './subscribers/feed-reader.ts';
import { McpSubscriber } from './subscribers/mcp-client.ts';
import type { ChaosUpstream, StartUpstream } from './upstream.ts';
import { onHttp, onStdio } from './upstreams/process-upstream.ts';
import { rawHttp } from './upstreams/raw-http.ts';

export const allFaults: readonly Fault[] = [...networkFaults, ...processFaults, ...mannersFaults];

const kinds: Readonly<Record<string, StartUpstream>> = {
  'sdk1-http': onHttp('sdk1'),
  'sdk2-http': onHttp('sdk2'),
  'sdk1-stdio': onStdio('sdk1'),
  'sdk2-stdio': onStdio('sdk2'),
  'raw-legacy': rawHttp('legacy'),
  'raw-modern': rawHttp('modern'),
};

const resourcesEach = 5;

export async function startUpstreams(): Promise<ChaosUpstream[]> {
  return Promise.all(
    Object.entries(kinds).map(([id, start]) => {
      const names = Array.from({ length: resourcesEach }, (_, n) => `raw://${id}/${n}`);
      return start(id, Object.fromEntries(names.map((uri) => [uri, `first text of ${uri}`])));
    }),
  );
}

export async function startSubscribers(
  url: string,
  upstreams: readonly ChaosUpstream[],
  each: number,
): Promise<Subscriber[]> {
  const uris = upstreams.flatMap(({ resources }) => Object.keys(resources));
  const subscribers: Subscriber[] = [];
  for (let n = 0; n < each; n += 1) {
    subscribers.push(await FeedReader.open(url, uris));
    subscribers.push(await McpSubscriber.open(url, 'legacy', uris));
    subscribers.push(await McpSubscriber.open(url, 'modern', uris));
  }
  return subscribers;
}
