// Filters events to what a client asked for: of the event stream, of `GET /api/events`, and on the timeline of the page.
import { type TrackerEvent, urisOf } from './event.ts';
import { uriPattern } from './uri-pattern.ts';

/** An option that is left out matches all events. */
export interface EventFilterOptions {
  /** Only this server. */
  server?: string | undefined;
  /** Only resources that match this pattern: `*` within a segment, `**` across segments. */
  uri?: string | undefined;
  /** Only events that name a URI with this part, in any case. */
  part?: string | undefined;
  type?: string | undefined;
  /** Times in ISO 8601: not before the first, and before the second. */
  from?: string | undefined;
  until?: string | undefined;
}

export type EventFilter = (event: TrackerEvent) => boolean;

export function eventFilter({ server, uri, part, type, from, until }: EventFilterOptions): EventFilter {
  const lowerCasePart = part?.toLowerCase();
  const concerns = uri === undefined ? () => true : concernedBy(uri);
  return (event) => {
    if (server !== undefined && event.serverId !== undefined && event.serverId !== server) return false;
    if (type !== undefined && event.type !== type) return false;
    if (from !== undefined && Date.parse(event.timestamp) < Date.parse(from)) return false;
    if (until !== undefined && Date.parse(event.timestamp) >= Date.parse(until)) return false;
    if (!concerns(event)) return false;
    return lowerCasePart === undefined || urisOf(event).some((each) => each.toLowerCase().includes(lowerCasePart));
  };
}

function concernedBy(pattern: string): EventFilter {
  const { test } = uriPattern(pattern);
  return (event) => {
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
}
