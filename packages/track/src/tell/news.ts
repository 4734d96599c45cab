// What an agent is told of: a resource that changed, or a server, or all of them, of which something may have.
// Nothing in this folder needs Node: the hub uses it, and so do pages that hold a session themselves.
import type { TrackerEvent } from '../journal/event.ts';

export type Update = Extract<TrackerEvent, { type: 'resource_update' }>;
export type Gap = Extract<TrackerEvent, { type: 'gap' }>;
export type News = Update | Gap;

/**
 * What an agent hears of an event. What is listed no more counts as changed: whoever relies on it has to find out
 * that it is gone.
 */
export function newsOf(event: TrackerEvent): News[] {
  if (event.type === 'resource_update' || event.type === 'gap') return [event];
  if (event.type !== 'list_changed') return [];
  const { serverId, removed, timestamp } = event;
  return removed.map((resourceUri) => ({ type: 'resource_update', serverId, resourceUri, timestamp }));
}

/** The same for news of which only the latest is worth telling. */
export function keyOf(news: News): string {
  return news.type === 'gap' ? `gap ${news.serverId ?? ''}` : `${news.serverId} ${news.resourceUri}`;
}
