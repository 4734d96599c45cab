// Which part of a listen filter is honored: the lists the SDK let through, and of the URIs those that
// match a route and that this caller may read.
import type { SubscriptionFilter } from '@modelcontextprotocol/server';
import { LiveError } from '../../error.ts';
import type { ListName } from '../../feed/change.ts';
import type { Subscriber } from '../../notify/subscriber.ts';
import type { Target } from '../../notify/watched.ts';
import type { Caller } from '../../resource/caller.ts';
import type { Definition } from '../definition.ts';
import { permittedTarget, watchList } from '../subscribe.ts';
import { surprise } from '../wire-error.ts';

export interface Honored {
  filter: SubscriptionFilter;
  targets: readonly Target[];
}

export async function honor(definition: Definition, caller: Caller, asked: SubscriptionFilter): Promise<Honored> {
  const { resourceSubscriptions, ...lists } = asked;
  const { urisPerSubscriber } = definition.limits;
  const uris = new Set(resourceSubscriptions);
  if (uris.size > urisPerSubscriber) {
    const message = `One listen request may name ${urisPerSubscriber} resources: spread them over several.`;
    throw new LiveError('LIMIT_EXCEEDED', message);
  }
  const honored: string[] = [];
  const targets: Target[] = [];
  for (const uri of uris) {
    const target = await targetOrNothing(definition, caller, uri);
    if (!target) continue;
    honored.push(uri);
    targets.push(target);
  }
  await Promise.all(targets.flatMap(({ ready }) => (ready ? [ready()] : [])));
  return { filter: { ...lists, ...(honored.length > 0 && { resourceSubscriptions: honored }) }, targets };
}

export function isEmpty({ filter }: Honored): boolean {
  return Object.keys(filter).length === 0;
}

export function watchHonored(definition: Definition, subscriber: Subscriber, { filter, targets }: Honored): void {
  const lists: [ListName, boolean | undefined][] = [
    ['resources', filter.resourcesListChanged],
    ['tools', filter.toolsListChanged],
    ['prompts', filter.promptsListChanged],
  ];
  for (const [list, isAsked] of lists) if (isAsked) watchList(definition, subscriber, list);
  for (const target of targets) subscriber.subscribe(target);
}

/** A URI that is refused, or whose route fails, is left out: the others are not its matter. */
async function targetOrNothing(definition: Definition, caller: Caller, uri: string): Promise<Target | undefined> {
  try {
    return await permittedTarget(definition, caller, uri);
  } catch (error) {
    if (!(error instanceof LiveError)) surprise(error, uri, definition.log);
    return undefined;
  }
}
