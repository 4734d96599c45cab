// The filter of the timeline. It is part of the page's address, and sent to the hub.
import { type TrackerEvent, urisOf } from '@tidings/client/contract';

/** An empty text matches all events. */
export interface TimelineFilter {
  server: string;
  type: string;
  /** Part of a URI. */
  uri: string;
  /** Times in ISO 8601: not before the first, and before the second. */
  from: string;
  until: string;
}

export function timelineFilterIn(query: URLSearchParams): TimelineFilter {
  const text = (name: string) => query.get(name) ?? '';
  const time = (name: string) => (Number.isNaN(Date.parse(text(name))) ? '' : text(name));
  return { server: text('server'), type: text('type'), uri: text('uri'), from: time('from'), until: time('until') };
}

export function passesFilter(event: TrackerEvent, { server, type, uri, from, until }: TimelineFilter): boolean {
  if (server !== '' && event.serverId !== undefined && event.serverId !== server) return false;
  if (type !== '' && event.type !== type) return false;
  if (from !== '' && Date.parse(event.timestamp) < Date.parse(from)) return false;
  if (until !== '' && Date.parse(event.timestamp) >= Date.parse(until)) return false;
  return uri === '' || urisOf(event).some((each) => each.toLowerCase().includes(uri.toLowerCase()));
}
