// Which part of a listen filter is honored: the lists the SDK let through, and of the URIs those that
// match a route and that this caller may read.
import type { SubscriptionFilter } from '@modelcontextprotocol/server';
import { LiveError } from '../../error.ts';
import type { ListName } from '../../feed/change.ts';
import type { Subscriber } from '../../notify/subscriber.ts';
import type { Match } from '../../resource/route-table.ts';
import type { Caller } from '../../resource/caller.ts';
import type { Route } from '../../resource/route.ts';
import type { Definition } from '../definition.ts';
import { matchPermitted, watchList, watchResource } from '../subscribe.ts';

export interface Honored {
  filter: SubscriptionFilter;
  matches: Map<string, Match<Route>>;
}

export async function honor(definition: Definition, caller: Caller, asked: SubscriptionFilter): Promise<Honored> {
  const { resourceSubscriptions, ...lists } = asked;
  const { urisPerSubscriber } = definition.limits;
  const uris = new Set(resourceSubscriptions);
  if (uris.size > urisPerSubscriber) {
    const message = `One listen request may name ${urisPerSubscriber} resources: spread them over several.`;
    throw new LiveError('LIMIT_EXCEEDED', message);
  }
  const matches = new Map<string, Match<Route>>();
  for (const uri of uris) {
    const match = await matchOrRefuse(definition, caller, uri);
    if (match) matches.set(uri, match);
  }
  return { filter: { ...lists, ...(matches.size > 0 && { resourceSubscriptions: [...matches.keys()] }) }, matches };
}

export function isEmpty({ filter }: Honored): boolean {
  return Object.keys(filter).length === 0;
}

export function watchHonored(definition: Definition, subscriber: Subscriber, { filter, matches }: Honored): void {
  const lists: [ListName, boolean | undefined][] = [
    ['resources', filter.resourcesListChanged],
    ['tools', filter.toolsListChanged],
    ['prompts', filter.promptsListChanged],
  ];
  for (const [list, isAsked] of lists) if (isAsked) watchList(definition, subscriber, list);
  for (const [uri, match] of matches) watchResource(definition, subscriber, uri, match);
}

async function matchOrRefuse(definition: Definition, caller: Caller, uri: string): Promise<Match<Route> | undefined> {
  try {
    return await matchPermitted(definition, caller, uri);
  } catch (error) {
    if (error instanceof LiveError) return undefined;
    throw error;
  }
}
