// An event in the form for a tool's result, which a model reads: URIs in legal characters only, and a server's error
// text in one short line.
import type { TrackerEvent } from '@tidings/client/contract';
import { plainUri } from '@tidings/client/tell';
import { shortLine } from '@tidings/live/portable';

export function eventForAgents(event: TrackerEvent): TrackerEvent {
  switch (event.type) {
    case 'resource_update':
      return { ...event, resourceUri: plainUri(event.resourceUri) };
    case 'list_changed':
      return { ...event, added: event.added.map(plainUri), removed: event.removed.map(plainUri) };
    case 'resource_error': {
      const { resourceUri, error } = event;
      return {
        ...event,
        ...(resourceUri !== undefined && { resourceUri: plainUri(resourceUri) }),
        error: shortLine(error),
      };
    }
    case 'server_state':
      return { ...event, ...(event.detail !== undefined && { detail: shortLine(event.detail) }) };
    case 'definition_changed':
      return { ...event, name: shortLine(plainUri(event.name)) };
    default:
      event satisfies { type: 'gap' };
      return event;
  }
}
