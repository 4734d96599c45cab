// Filters events to what a client of the event stream asked for.
import type { TrackerEvent } from '@tidings/client/contract';
import { uriPattern } from '@tidings/client/contract';

export interface EventFilterOptions {
  /** Only this server. */
  server?: string | undefined;
  /** Only resources that match this pattern: `*` within a segment, `**` across segments. */
  uri?: string | undefined;
}

export type EventFilter = (event: TrackerEvent) => boolean;

export function eventFilter({ server, uri }: EventFilterOptions): EventFilter {
  const isServer = (event: TrackerEvent) =>
    server === undefined || event.serverId === undefined || event.serverId === server;
  if (uri === undefined) return isServer;
  const { test } = uriPattern(uri);
  const concerns = (event: TrackerEvent): boolean => {
    switch (event.type) {
      case 'resource_update':
        return test(event.resourceUri);
      case 'resource_error':
        return event.resourceUri === undefined || test(event.resourceUri);
      case 'list_changed':
        return [...event.added, ...event.removed].some(test);
      case 'definition_changed':
        return false;
      default:
        return true;
    }
  };
  return (event) => isServer(event) && concerns(event);
}
