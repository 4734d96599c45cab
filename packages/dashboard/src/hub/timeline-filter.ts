// The filter of the timeline. It is part of the page's address, and sent to the hub.
import { type EventFilter, eventFilter } from '@tidings/client/contract';

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

export function timelineFilter({ server, type, uri, from, until }: TimelineFilter): EventFilter {
  const given = (text: string) => (text === '' ? undefined : text);
  return eventFilter({
    server: given(server),
    type: given(type),
    part: given(uri),
    from: given(from),
    until: given(until),
  });
}
