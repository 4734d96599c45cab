// Replaces the URIs in an event by those on the gateway.
import type { TrackerEvent } from '@tidings/client/contract';

/** Returns the URI of a server's resource on the gateway. */
export type NameOfResource = (serverId: string, uri: string) => string;

export function namedEvent(event: TrackerEvent, nameOf: NameOfResource): TrackerEvent {
  if (event.type === 'list_changed') {
    const named = (uris: readonly string[]) => uris.map((uri) => nameOf(event.serverId, uri));
    return { ...event, added: named(event.added), removed: named(event.removed) };
  }
  if (!('resourceUri' in event) || event.resourceUri === undefined) return event;
  return { ...event, resourceUri: nameOf(event.serverId, event.resourceUri) };
}
