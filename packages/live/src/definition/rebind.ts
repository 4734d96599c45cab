// When a route is defined or removed, URIs that clients watch may be served by another route, or by none. This updates
// their subscriptions.
import type { Subject, Target, Watched } from '../notify/watched.ts';
import type { Directory } from '../resource/directory.ts';
import type { Route } from '../resource/route.ts';
import type { ServerDefinition } from './server-definition.ts';
import { watchTarget } from './target.ts';

/** What is watched of this route's resources. */
export function watchedOf(route: Route, { notifier }: ServerDefinition, directory: Directory): Watched[] {
  const found: Watched[] = [];
  notifier.interest.forEach((watched) => {
    const { subject } = watched;
    if (subject.kind === 'resource' && directory.isServedBy(route, subject.uri)) found.push(watched);
  });
  return found;
}

/** Notifies the subscribers and moves each subscription to the route that serves its URI now. */
export function rebind(watched: readonly Watched[], definition: ServerDefinition, directory: Directory): void {
  const changes = watched.flatMap((each) => {
    const { subject, windowMs } = each;
    return subject.kind === 'list' ? [] : [[each, newTarget(subject, windowMs, definition, directory)] as const];
  });
  definition.notifier.rebind(changes);
}

function newTarget(
  subject: Extract<Subject, { kind: 'resource' }>,
  windowMs: number,
  definition: ServerDefinition,
  directory: Directory,
): Target {
  const { uri, canonical } = subject;
  const resolved = directory.resolveIfServed(uri);
  return resolved ? watchTarget(definition, uri, resolved) : { subject, topics: [canonical], windowMs };
}
