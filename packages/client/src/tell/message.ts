// The sentences for agents, fixed except for URIs, server ids and times. They go into the system role, so text
// of a server must not appear in them unchanged.
import { counted } from '@tidings/live/portable';
import { plainUri } from './plain-uri.ts';
import type { Gap, News, Update } from './news.ts';

/** The characters of a summary for URIs; it gives the number of the others. */
const longestList = 4000;
/** How many servers a summary names. */
const mostServers = 50;

export function updateMessage({ resourceUri, serverId, timestamp }: Omit<Update, 'type'>): string {
  return `Resource ${plainUri(resourceUri)} updated for MCP server ${plainUri(serverId)} at ${plainUri(timestamp)}`;
}

export function newsMessage(news: News): string {
  if (news.type !== 'gap') return updateMessage(news);
  return `${doubt(news)} at ${plainUri(news.timestamp)}: read again what you rely on`;
}

/** One message for many updates. */
export function summaryMessage(news: readonly News[]): string {
  const gaps = news.filter((each) => each.type === 'gap');
  const updates = news.filter((each) => each.type === 'resource_update');
  const last = plainUri(news.at(-1)?.timestamp ?? '');
  const sentences = [
    ...(updates.length > 0 ? [`Resources updated, the last at ${last}: ${listed(updates)}`] : []),
    ...(gaps.length > 0 ? [`${doubts(gaps)}, the last at ${last}: read again what you rely on`] : []),
  ];
  return sentences.join('. ');
}

function doubts(gaps: readonly Gap[]): string {
  // An update without a server is about all of them.
  if (gaps.length > mostServers) return doubt({});
  return gaps.map(doubt).join('; ');
}

function doubt({ serverId }: Pick<Gap, 'serverId'>): string {
  if (serverId === undefined) return 'Resources may have changed';
  return `Resources of MCP server ${plainUri(serverId)} may have changed`;
}

function listed(updates: readonly Update[]): string {
  const byServer = new Map<string, string[]>();
  for (const { serverId, resourceUri } of updates) {
    const uris = byServer.get(serverId);
    if (uris) uris.push(resourceUri);
    else byServer.set(serverId, [resourceUri]);
  }
  const named = [...byServer].slice(0, mostServers);
  const room = longestList / named.length;
  const parts = named.map(([id, uris]) => `${fitting(uris, room)} for MCP server ${plainUri(id)}`);
  const more = byServer.size - named.length;
  return [...parts, ...(more > 0 ? [`and those of ${more} more servers, so read again what you rely on`] : [])].join(
    '; ',
  );
}

/** Says how many were left out, so that they are not taken for unchanged. */
function fitting(uris: readonly string[], room: number): string {
  const shown: string[] = [];
  let length = 0;
  for (const uri of uris) {
    const plain = plainUri(uri);
    length += plain.length + 2;
    if (length > room) break;
    shown.push(plain);
  }
  const more = uris.length - shown.length;
  if (more === 0) return shown.join(', ');
  const rest = shown.length === 0 ? counted(more, 'resource') : `${shown.join(', ')} and ${more} more`;
  return `${rest}, so read again what you rely on,`;
}
