// Filters an event to what a caller may see.
import type { TrackerEvent } from '@tidings/client/contract';
import type { Permissions } from './permissions.ts';

/** Undefined if the caller may see no part of the event. */
export function seenBy(permissions: Permissions, event: TrackerEvent): TrackerEvent | undefined {
  if (event.operatorOnly === true && !permissions.isOperator) return undefined;
  if (permissions.isWhole) return event;
  switch (event.type) {
    case 'resource_update':
      return permissions.opens(event.serverId, event.resourceUri) ? event : undefined;
    case 'resource_error':
      // Without a URI, the error may concern any resource of the server.
      if (event.resourceUri === undefined) return permissions.seesAllOf(event.serverId) ? event : undefined;
      return permissions.opens(event.serverId, event.resourceUri) ? event : undefined;
    case 'list_changed': {
      const isOpen = (uri: string) => permissions.opens(event.serverId, uri);
      const added = event.added.filter(isOpen);
      const removed = event.removed.filter(isOpen);
      return added.length + removed.length > 0 ? { ...event, added, removed } : undefined;
    }
    case 'server_state': {
      if (!permissions.sees(event.serverId)) return undefined;
      // The reason of an outage may contain commands, addresses and other resources.
      const { detail: _detail, ...rest } = event;
      return rest;
    }
    case 'definition_changed':
      return mayKnow(permissions, event) ? event : undefined;
    default:
      event satisfies { type: 'gap' };
      return event.serverId === undefined || permissions.sees(event.serverId) ? event : undefined;
  }
}

/** Whether the caller may see this tool or prompt. Instructions may describe everything a server has. */
function mayKnow(
  permissions: Permissions,
  { serverId, kind, name }: Extract<TrackerEvent, { type: 'definition_changed' }>,
): boolean {
  if (kind === 'prompt') return permissions.mayPrompt(serverId, name);
  // It is not known here whether the tool only reads, so it counts as a writing tool.
  return kind === 'tool' && permissions.mayCall(serverId, name, false);
}
