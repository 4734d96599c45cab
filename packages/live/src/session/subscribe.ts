// Subscribes one caller to one URI, the same in both eras: the URI must match a route and be permitted. The resource
// need not exist yet.
import { LiveError } from '../base/error.ts';
import { type ListName, listTopics } from '../feed/change.ts';
import type { Permit } from '../notify/permission-checks.ts';
import type { Subscriber } from '../notify/subscriber.ts';
import type { Subscription } from '../notify/subscription.ts';
import type { Target } from '../notify/watched.ts';
import type { Caller } from '../resource/caller.ts';
import type { ServerDefinition } from '../definition/server-definition.ts';
import { watchTarget } from '../definition/target.ts';

/** The target of a URI; throws if it matches no route or is not permitted. */
export async function permittedTarget(definition: ServerDefinition, caller: Caller, uri: string): Promise<Target> {
  const { directory } = definition;
  const resolved = directory.resolve(uri, caller);
  if (!(await directory.permits(caller, resolved.canonical))) {
    throw new LiveError('PERMISSION_DENIED', 'Your credentials do not allow subscribing to this resource.', uri);
  }
  return watchTarget(definition, uri, resolved);
}

export function watchList({ listWindowMs }: ServerDefinition, subscriber: Subscriber, list: ListName): Subscription {
  const subject = { kind: 'list', list } as const;
  return subscriber.subscribe({ subject, topics: [listTopics[list]], windowMs: listWindowMs });
}

/** The permission check before each delivery to this caller; undefined if every caller may read everything. */
export function permitFor({ directory }: ServerDefinition, caller: () => Caller): Permit | undefined {
  if (!directory.authorizes) return undefined;
  return (subject) => subject.kind === 'list' || directory.permits(caller(), subject.canonical);
}
