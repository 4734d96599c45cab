// An event with the URIs that its resources have here.
import type { TrackerEvent } from '@tidings/client/contract';

/** The URI of a server's resource here. */
export type NameOfResource = (serverId: string, uri: string) => string;

export function namedEvent(event: TrackerEvent, nameOf: NameOfResource): TrackerEvent {
  if (event.type === 'list_changed') {
    const named = (uris: readonly string[]) => uris.map((uri) => nameOf(event.serverId, uri));
    return { ...event, added: named(event.added), removed: named(event.removed) };
  }
  if (!('resourceUri' in event) || event.resourceUri === undefined) return event;
  return { ...event, resourceUri: nameOf(event.serverId, event.resourceUri) };
}
