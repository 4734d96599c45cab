// All ways into the hub. A way with a URI is tested with every spelling; any other shows the resource or its server, or
// does not.
import { eventually } from '@tidings/live/testing';
import { SseClient } from '../support/wire/sse-client.ts';
import { clientsSchema } from '../support/wire/strict-answers.ts';
import type { Principal } from './cells.ts';
import { changeTools, mcpWays } from './mcp-ways.ts';
import { type Outcome, type Way, early, occurs, outcomeOf } from './way.ts';
import { type World, hookAbout, timesIn } from './world.ts';

/** Whether the second round of changes is replayed to this caller. */
async function replayed(
  world: World,
  who: Principal,
  query: string,
  headers: Record<string, string>,
  uri: string,
): Promise<Outcome> {
  const probe = await fetch(`${world.hub.url}/api/mcp/resource-events${query}`, {
    headers: { ...world.headers(who), ...headers },
  });
  await probe.body?.cancel();
  if (probe.status !== 200) return String(probe.status);
  const stream = await SseClient.open(`${world.hub.url}/api/mcp/resource-events${query}`, {
    ...world.headers(who),
    ...headers,
  });
  const expected = world.streams.get(who)?.updates.length ?? 0;
  await eventually('the replay', () => stream.updates.length >= expected);
  stream.close();
  return timesIn(stream, uri) > 0 ? 'open' : 'absent';
}

const eventWays: Way[] = [
  {
    name: 'the event stream',
    kind: 'hear',
    without: async (world, who, { uri }) => {
      const stream = world.streams.get(who);
      if (stream === undefined) return replayed(world, who, '', {}, uri);
      return timesIn(stream, uri) > 0 ? 'open' : 'absent';
    },
  },
  {
    name: 'replay after Last-Event-ID',
    kind: 'hear',
    without: (world, who, { uri }) => replayed(world, who, '', { 'last-event-id': world.start }, uri),
  },
  {
    name: 'replay with ?after=',
    kind: 'hear',
    without: (world, who, { uri }) => replayed(world, who, `?after=${encodeURIComponent(world.start)}`, {}, uri),
  },
  {
    name: '/api/events',
    kind: 'hear',
    without: async (world, who, { uri }) =>
      occurs(await world.http(who, `/api/events?limit=1000&after=${encodeURIComponent(world.start)}`), uri),
  },
  {
    name: '/api/events?last=',
    kind: 'hear',
    without: async (world, who, { uri }) => occurs(await world.http(who, '/api/events?last=1000'), uri),
  },
  {
    name: '/api/events?server=&uri=',
    kind: 'hear',
    without: async (world, who, { server, uri }) =>
      occurs(await world.http(who, `/api/events?last=1000&server=${server}&uri=${encodeURIComponent(uri)}`), uri),
  },
];

const hooks: Way[] = [
  {
    name: 'POST /hooks/{host}?server=&uri=',
    kind: 'hear',
    without: async (world, who, target) => occurs(await world.http(who, ...hookAbout(target)), target.uri),
  },
];

const bridges: Way[] = [
  {
    name: '/resources/{uri}',
    kind: 'read',
    withUri: async (world, who, target, uri) => {
      const answer = await world.http(who, `/resources/${encodeURIComponent(uri)}`);
      return early(answer) ?? outcomeOf(answer, target);
    },
  },
  {
    name: '/resources/{uri}, slashes as they are',
    kind: 'read',
    withUri: async (world, who, target, uri) => {
      const answer = await world.http(who, `/resources/${encodeURIComponent(uri).replaceAll('%2F', '/')}`);
      return early(answer) ?? outcomeOf(answer, target);
    },
  },
  {
    name: '/resources/{uri}?server=',
    kind: 'read',
    withUri: async (world, who, target, uri) => {
      const answer = await world.http(who, `/resources/${encodeURIComponent(uri)}?server=${target.server}`);
      return early(answer) ?? outcomeOf(answer, target);
    },
  },
];

const whole = (name: string, path: string, init?: RequestInit): Way => ({
  name,
  kind: 'admin',
  without: async (world, who, { server }) => {
    const { status } = await world.http(who, path.replace('{id}', server), init);
    // A caller with access may get the error that the request is invalid.
    return status < 300 || status === 400 || status === 404 ? 'open' : String(status);
  },
});
const json = { 'content-type': 'application/json' };

const routes: Way[] = [
  {
    name: '/api/versions?uri=',
    kind: 'history',
    withUri: async (world, who, _target, uri) => {
      const answer = await world.http(who, `/api/versions?uri=${encodeURIComponent(uri)}`);
      return early(answer) ?? answer.code ?? (answer.status === 200 ? 'open' : String(answer.status));
    },
  },
  {
    name: '/api/resources',
    kind: 'list',
    without: async (world, who, { uri }) => occurs(await world.http(who, '/api/resources?limit=1000'), uri),
  },
  {
    name: '/api/resources?server=&q=',
    kind: 'list',
    without: async (world, who, { server, uri }) =>
      occurs(await world.http(who, `/api/resources?server=${server}&q=${encodeURIComponent(uri)}`), uri),
  },
  {
    name: '/api/servers',
    kind: 'server',
    without: async (world, who, { server }) => {
      const answer = await world.http(who, '/api/servers');
      return early(answer) ?? (answer.text.includes(`"id":"${server}"`) ? 'open' : 'absent');
    },
  },
  {
    name: 'server_state in /api/events',
    kind: 'server',
    without: async (world, who, { server }) => {
      const answer = await world.http(who, '/api/events?limit=1000');
      const isThere = new RegExp(`"server_state","serverId":"${server}"`).test(answer.text);
      return early(answer) ?? (isThere ? 'open' : 'absent');
    },
  },
  {
    name: '/api/clients',
    kind: 'clients',
    without: async (world, who) => {
      const answer = await world.http(who, '/api/clients');
      if (answer.status !== 200) return String(answer.status);
      const { clients, eventStreams } = clientsSchema.parse(JSON.parse(answer.text));
      const shown = new Set(clients.map((client) => client.who));
      const others = world.callers.filter((other) => other !== who).map(world.subjectOf);
      if (!shown.has(world.subjectOf(who))) return 'absent';
      if (eventStreams !== null && others.every((other) => shown.has(other))) return 'open';
      return eventStreams === null && shown.size === 1 ? 'own' : `that of ${[...shown].join(', ')}`;
    },
  },
  whole('/metrics', '/metrics'),
  whole('/api/sessions', '/api/sessions'),
  whole('a transcript', '/api/sessions/transcript/transcript'),
  // With an invalid body or an unknown id, because other cells need the servers unchanged.
  whole('POST /api/servers', '/api/servers', { method: 'POST', headers: json, body: '{}' }),
  whole('DELETE /api/servers/{id}', '/api/servers/none', { method: 'DELETE', headers: json }),
  whole('PATCH /api/servers/{id}', '/api/servers/{id}', { method: 'PATCH', headers: json, body: '{"tracked":true}' }),
  whole('POST /api/demo', '/api/demo', { method: 'POST', headers: json, body: '{}' }),
  whole('POST /api/sessions', '/api/sessions', {
    method: 'POST',
    headers: json,
    body: '{"kind":"openai-realtime","key_env":"NOT_THERE"}',
  }),
  whole('DELETE /api/sessions/{id}', '/api/sessions/none', { method: 'DELETE' }),
  whole('POST /api/servers/{id}/restart', '/api/servers/none/restart', { method: 'POST', headers: json, body: '{}' }),
  whole('POST /api/servers/{id}/ping', '/api/servers/none/ping', { method: 'POST', headers: json, body: '{}' }),
  whole('/api/servers/{id}/log', '/api/servers/{id}/log'),
  whole('/api/servers/{id}/definitions', '/api/servers/{id}/definitions'),
  whole('POST /api/servers/{id}/trust', '/api/servers/{id}/trust', { method: 'POST', headers: json, body: '{}' }),
  // The audit log has no route: it is read with access to the data folder or the database. Any new route gets its row
  // here and a line in `rowOfRoute` (rows.ts): a test compares them with the sources.
  // None of these servers has logins per user.
  ...(['POST /api/logins/{id}', 'POST /api/logins/{id}/callback', 'DELETE /api/logins/{id}'] as const).map(
    (name): Way => ({
      name,
      kind: 'login',
      without: async (world, who, { server }) => {
        const [method = '', path = ''] = name.replace('{id}', server).split(' ');
        const body = method === 'POST' ? { body: '{}' } : {};
        return String((await world.http(who, path, { method, headers: json, ...body })).status);
      },
    }),
  ),
  ...['/', '/api/whoami', '/api/demo', '/api/logins', '/api/openapi.json'].map((path): Way => ({
    name: `GET ${path}`,
    kind: 'page',
    without: async (world, who) => {
      const { status } = await world.http(who, path);
      return status === 200 ? 'open' : String(status);
    },
  })),
];

export const ways: readonly Way[] = [
  ...bridges,
  ...(['modern', 'legacy'] as const).flatMap((era) => [false, true].flatMap((isSingle) => mcpWays(era, isSingle))),
  ...changeTools,
  ...eventWays,
  ...hooks,
  ...routes,
];
