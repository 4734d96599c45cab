// News for an agent: a resource changed, or resources of one server or of all may have changed. Nothing in this folder
// needs Node: it is used by the hub and by pages that hold a session themselves.
import type { TrackerEvent } from '../contract/event.ts';

export type Update = Extract<TrackerEvent, { type: 'resource_update' }>;
export type Gap = Extract<TrackerEvent, { type: 'gap' }>;
export type News = Update | Gap;

/** The news in an event. A removed resource counts as changed, so that the agent learns of its removal. */
export function newsOf(event: TrackerEvent): News[] {
  if (event.type === 'resource_update' || event.type === 'gap') return [event];
  if (event.type !== 'list_changed') return [];
  const { serverId, removed, timestamp } = event;
  return removed.map((resourceUri) => ({ type: 'resource_update', serverId, resourceUri, timestamp }));
}

/** Of news with the same key only the latest is sent. */
export function newsKey(news: News): string {
  return news.type === 'gap' ? `gap ${news.serverId ?? ''}` : `${news.serverId} ${news.resourceUri}`;
}
