// The words in which an agent is told.
import type { Gap, News, Update } from './news.ts';

/** How much of a summary are URIs; it says how many more there are. */
const longestList = 4000;

export function updateMessage({ resourceUri, serverId, timestamp }: Omit<Update, 'type'>): string {
  return `Resource ${resourceUri} updated for MCP server ${serverId} at ${timestamp}`;
}

export function newsMessage(news: News): string {
  return news.type === 'gap' ? `${doubt(news)} at ${news.timestamp}: read again what you rely on` : updateMessage(news);
}

/** Many in one. */
export function summaryMessage(news: readonly News[]): string {
  const gaps = news.filter((each) => each.type === 'gap');
  const updates = news.filter((each) => each.type === 'resource_update');
  const last = news.at(-1)?.timestamp ?? '';
  const sentences = [
    ...(updates.length > 0 ? [`Resources updated, the last at ${last}: ${listed(updates)}`] : []),
    ...(gaps.length > 0 ? [`${gaps.map(doubt).join('; ')}, the last at ${last}: read again what you rely on`] : []),
  ];
  return sentences.join('. ');
}

function doubt({ serverId }: Gap): string {
  return serverId === undefined ? 'Resources may have changed' : `Resources of MCP server ${serverId} may have changed`;
}

function listed(updates: readonly Update[]): string {
  const byServer = new Map<string, string[]>();
  for (const { serverId, resourceUri } of updates) {
    const uris = byServer.get(serverId);
    if (uris) uris.push(resourceUri);
    else byServer.set(serverId, [resourceUri]);
  }
  const room = longestList / byServer.size;
  return [...byServer].map(([id, uris]) => `${fitting(uris, room)} for MCP server ${id}`).join('; ');
}

/** What is left out is said to be left out: nobody may take it for unchanged. */
function fitting(uris: readonly string[], room: number): string {
  let length = 0;
  const count = uris.findIndex((uri) => (length += uri.length + 2) > room);
  if (count < 0) return uris.join(', ');
  const shown = uris.slice(0, Math.max(1, count));
  const more = uris.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more, so read again what you rely on,`;
}
