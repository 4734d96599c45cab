// An event as much of it as somebody may hear.
import type { TrackerEvent } from '@tidings/track';
import type { Sight } from './sight.ts';

/** Nothing where it is about what this caller may not see. */
export function seenBy({ scope, sees }: Sight, event: TrackerEvent): TrackerEvent | undefined {
  if (event.serverId !== undefined && !sees(event.serverId)) return undefined;
  if (scope.isWhole) return event;
  switch (event.type) {
    case 'resource_update':
      return scope.opens(event.resourceUri) ? event : undefined;
    case 'resource_error':
      // Without a URI it may speak of any.
      return event.resourceUri !== undefined && scope.opens(event.resourceUri) ? event : undefined;
    case 'list_changed': {
      const added = event.added.filter((uri) => scope.opens(uri));
      const removed = event.removed.filter((uri) => scope.opens(uri));
      return added.length + removed.length > 0 ? { ...event, added, removed } : undefined;
    }
    case 'server_state': {
      // Why it is away may name what is not for everybody.
      const { detail: _detail, ...rest } = event;
      return rest;
    }
    default:
      event satisfies { type: 'gap' };
      return event;
  }
}
