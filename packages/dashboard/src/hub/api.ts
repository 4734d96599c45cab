// The hub's routes as functions.
import type * as z from 'zod/mini';
import {
  clientsAnswer,
  definitionsAnswer,
  eventsAnswer,
  pingAnswer,
  resourcesAnswer,
  samplesLoaded,
  samplesOffered,
  serverLog,
  serverStatus,
  serversAnswer,
  sessionStatus,
  sessionsAnswer,
  transcriptAnswer,
  type AddServerRequest,
  type AttachField,
  type ClientsAnswer,
  type DefinitionsAnswer,
  type ListedResource,
  type SampleCounts,
  type ServerPatch,
  type ServerStatus,
  type ServersAnswer,
  type SessionStatus,
  type ShownDefinition,
  type TrackerEvent,
  type TranscriptEntry,
  whoAmI,
} from '@tidings/client/contract';
import type { TimelineFilter } from './timeline-filter.ts';
import { asJson, requestJson, request } from './hub-request.ts';

const pageSize = 1000;
const historySize = 500;

export async function readServers(): Promise<ServersAnswer> {
  return requestJson('/api/servers', serversAnswer);
}

export async function addServer(server: AddServerRequest): Promise<ServerStatus> {
  return requestJson('/api/servers', serverStatus, { method: 'POST', headers: asJson, body: JSON.stringify(server) });
}

export async function removeServer(id: string): Promise<void> {
  await request(`/api/servers/${encodeURIComponent(id)}`, { method: 'DELETE', headers: asJson });
}

export function setTracked(id: string, tracked: boolean): Promise<ServerStatus> {
  return patchServer(id, { tracked });
}

export function setEnabled(id: string, enabled: boolean): Promise<ServerStatus> {
  return patchServer(id, { enabled });
}

async function patchServer(id: string, patch: ServerPatch): Promise<ServerStatus> {
  const body = JSON.stringify(patch);
  return requestJson(`/api/servers/${encodeURIComponent(id)}`, serverStatus, {
    method: 'PATCH',
    headers: asJson,
    body,
  });
}

/** The MCP clients of the hub. */
export async function readClients(): Promise<ClientsAnswer> {
  return requestJson('/api/clients', clientsAnswer);
}

/** Reconnects to the server, with a new process if it has one. */
export async function restartServer(id: string): Promise<ServerStatus> {
  return requestJson(`/api/servers/${encodeURIComponent(id)}/restart`, serverStatus, {
    method: 'POST',
    headers: asJson,
    body: '{}',
  });
}

/** Resolves with the server's response time in milliseconds. */
export async function pingServer(id: string): Promise<number> {
  const path = `/api/servers/${encodeURIComponent(id)}/ping`;
  return (await requestJson(path, pingAnswer, { method: 'POST', headers: asJson, body: '{}' })).ms;
}

/** The last lines that it wrote on stderr. */
export async function readServerLog(id: string): Promise<z.infer<typeof serverLog>['lines']> {
  return (await requestJson(`/api/servers/${encodeURIComponent(id)}/log`, serverLog)).lines;
}

/** The definitions of a pinned server that wait for consent; the difference of a single one is complete. */
export async function readHeld(
  serverId: string,
  one?: Pick<ShownDefinition, 'kind' | 'name'>,
): Promise<DefinitionsAnswer> {
  const query = one === undefined ? '' : `?${new URLSearchParams({ kind: one.kind, name: one.name })}`;
  return requestJson(`/api/servers/${encodeURIComponent(serverId)}/definitions${query}`, definitionsAnswer);
}

/** Agrees to these definitions as shown. Resolves with those that still wait. */
export async function trust(serverId: string, held: readonly ShownDefinition[]): Promise<DefinitionsAnswer> {
  const definitions = held.map(({ kind, name, hash }) => ({ kind, name, hash }));
  return requestJson(`/api/servers/${encodeURIComponent(serverId)}/trust`, definitionsAnswer, {
    method: 'POST',
    headers: asJson,
    body: JSON.stringify({ definitions }),
  });
}

/** Everything that is listed, of one server or of all, in the hub's order. */
export async function readListedResources(server?: string): Promise<ListedResource[]> {
  const found: ListedResource[] = [];
  let after: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(pageSize) });
    if (server !== undefined) query.set('server', server);
    if (after !== null) query.set('after', after);
    const page: z.infer<typeof resourcesAnswer> = await requestJson(`/api/resources?${query}`, resourcesAnswer);
    found.push(...page.resources);
    after = page.next_cursor;
  } while (after !== null);
  return found;
}

interface PastEvents {
  events: { cursor: string; event: TrackerEvent }[];
  cursor: string;
}

/** The path of the newest events that match the filter. */
export function eventsPath({ uri = '', ...others }: Partial<TimelineFilter>): string {
  const given = Object.entries({ ...others, q: uri }).filter(([, value]) => value !== '');
  return `/api/events?${new URLSearchParams([['last', String(historySize)], ...given])}`;
}

/** The newest events that match, and the cursor to continue from. */
export async function readPastEvents(filter: Partial<TimelineFilter> = {}): Promise<PastEvents> {
  const { events, cursor } = await requestJson(eventsPath(filter), eventsAnswer);
  return {
    events: events.map((event) => ({ cursor: event.cursor, event })),
    cursor,
  };
}

export async function readSessions(): Promise<SessionStatus[]> {
  return (await requestJson('/api/sessions', sessionsAnswer)).sessions;
}

export async function readTranscript(id: string, signal: AbortSignal): Promise<TranscriptEntry[]> {
  return (await requestJson(transcriptPath(id), transcriptAnswer, { signal })).entries;
}

/** The stream of entries after the one with this id. */
export function requestTranscript(id: string, after: number, signal: AbortSignal): Promise<Response> {
  const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(after) };
  return fetch(transcriptPath(id), { headers, signal, cache: 'no-store' });
}

function transcriptPath(id: string): string {
  return `/api/sessions/${encodeURIComponent(id)}/transcript`;
}

/** The values of the form; the hub validates them. */
export type AttachForm = Partial<Record<AttachField, unknown>>;

export async function attachSession(wanted: AttachForm): Promise<SessionStatus> {
  return requestJson('/api/sessions', sessionStatus, { method: 'POST', headers: asJson, body: JSON.stringify(wanted) });
}

export async function detachSession(id: string): Promise<void> {
  await request(`/api/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** When the login of this browser expires; undefined if no login is needed. */
export async function readLogin(): Promise<string | undefined> {
  return (await requestJson('/api/whoami', whoAmI)).loggedInUntil ?? undefined;
}

export async function endBrowserSession(): Promise<void> {
  await request('/logout', { method: 'POST', headers: asJson });
}

/** The available sample data, and whether it was loaded. */
export async function readSamples(): Promise<z.infer<typeof samplesOffered>> {
  return requestJson('/api/demo', samplesOffered);
}

export async function loadSamples(): Promise<SampleCounts> {
  return (await requestJson('/api/demo', samplesLoaded, { method: 'POST', headers: asJson })).loaded;
}

/** The event stream after a cursor. */
export function requestEvents(cursor: string | undefined, signal: AbortSignal): Promise<Response> {
  const query = new URLSearchParams(cursor === undefined ? {} : { after: cursor });
  return fetch(`/api/mcp/resource-events?${query}`, { signal, cache: 'no-store' });
}
