// Subscribing one URI for one caller, the same in both eras: it must match a route and be permitted;
// whether the resource exists yet does not matter.
import { LiveError } from '../error.ts';
import { type ListName, listTopics } from '../feed/change.ts';
import type { Log } from '../log.ts';
import type { Permit } from '../notify/permissions.ts';
import type { Subscriber } from '../notify/subscriber.ts';
import type { Subscription } from '../notify/subscription.ts';
import type { Target } from '../notify/watched.ts';
import type { Caller } from '../resource/caller.ts';
import type { Definition } from '../definition/definition.ts';

/** What this caller asks to watch; throws if it matches no route or is not permitted. */
export async function permittedTarget(definition: Definition, caller: Caller, uri: string): Promise<Target> {
  const { directory, windowMs, log } = definition;
  const { canonical, key, topics, watch, ready, windowMs: own = windowMs } = directory.resolve(uri, caller);
  if (!(await directory.permits(caller, canonical))) {
    throw new LiveError('PERMISSION_DENIED', 'Your credentials do not allow subscribing to this resource.', uri);
  }
  return {
    subject: { kind: 'resource', uri, canonical },
    topics,
    windowMs: own,
    ...(key !== undefined && { key }),
    ...(watch && { onWatched: () => guarded(log, uri, watch) }),
    ...(ready && { ready }),
  };
}

export function watchList({ listWindowMs }: Definition, subscriber: Subscriber, list: ListName): Subscription {
  const subject = { kind: 'list', list } as const;
  return subscriber.subscribe({ subject, topics: [listTopics[list]], windowMs: listWindowMs });
}

/** What delivery asks before it tells this caller of a change; nothing where nobody is refused. */
export function permitFor({ directory }: Definition, caller: () => Caller): Permit | undefined {
  if (!directory.authorizes) return undefined;
  return (subject) => subject.kind === 'list' || directory.permits(caller(), subject.canonical);
}

/** Runs a route's `watch` and what it returned; if either fails, that is logged and nobody else's matter. */
function guarded(log: Log, uri: string, watch: () => (() => void) | void): (() => void) | void {
  try {
    const stop = watch();
    return stop && (() => guarded(log, uri, stop));
  } catch (error) {
    log.error({ error, uri }, 'A route failed to begin or to end watching.');
    return undefined;
  }
}
