// Subscribing one URI for one caller, the same in both eras: it must match a route and be permitted;
// whether the resource exists yet does not matter.
import { LiveError } from '../error.ts';
import { type ListName, listTopics } from '../feed/change.ts';
import type { Permit, Subscriber } from '../notify/subscriber.ts';
import type { Subscription } from '../notify/subscription.ts';
import type { Match } from '../resource/route-table.ts';
import type { Caller, Route } from '../resource/route.ts';
import type { Definition } from './definition.ts';

/** The route of a URI this caller may watch; throws otherwise. */
export async function matchPermitted({ directory }: Definition, caller: Caller, uri: string): Promise<Match<Route>> {
  const match = directory.match(uri);
  if (!(await directory.permits(caller, match.canonical))) {
    throw new LiveError('PERMISSION_DENIED', 'Your credentials do not allow subscribing to this resource.', uri);
  }
  return match;
}

export function watchResource(
  { windowMs }: Definition,
  subscriber: Subscriber,
  uri: string,
  { route, params, canonical }: Match<Route>,
): Subscription {
  const topics = route.topicsOf(params, canonical);
  return subscriber.subscribe({ kind: 'resource', uri, canonical }, topics, route.options.windowMs ?? windowMs);
}

export function watchList({ windowMs }: Definition, subscriber: Subscriber, list: ListName): Subscription {
  return subscriber.subscribe({ kind: 'list', list }, [listTopics[list]], windowMs);
}

/** What delivery asks before it tells this caller of a change; nothing where nobody is refused. */
export function permitFor({ directory, authorizes }: Definition, caller: () => Caller): Permit | undefined {
  if (!authorizes) return undefined;
  return (subject) => subject.kind === 'list' || directory.permits(caller(), subject.canonical);
}
