// Which events one reader of the event stream wants.
import type { TrackerEvent } from '../journal/event.ts';

export interface EventFilter {
  /** Only this server. */
  server?: string | undefined;
  /** Only this URI, or those that begin with it if it ends in `*`. */
  uri?: string | undefined;
}

export function passes(event: TrackerEvent, { server, uri }: EventFilter): boolean {
  if (server !== undefined && event.serverId !== undefined && event.serverId !== server) return false;
  if (uri === undefined) return true;
  switch (event.type) {
    case 'resource_update':
      return matches(event.resourceUri, uri);
    case 'resource_error':
      return event.resourceUri === undefined || matches(event.resourceUri, uri);
    case 'list_changed':
      return [...event.added, ...event.removed].some((each) => matches(each, uri));
    case 'definition_changed':
      return false;
    default:
      return true;
  }
}

function matches(uri: string, wanted: string): boolean {
  return wanted.endsWith('*') ? uri.startsWith(wanted.slice(0, -1)) : uri === wanted;
}
