// Every way into the hub, and what is seen of a resource on it. A way that takes a URI is tried with every spelling;
// any other shows, or does not show, the resource or its server.
import type { Era } from '@tidings/live/testing';
import { eventually } from '@tidings/live/testing';
import { openListen } from '../support/raw-http.ts';
import { SseClient } from '../support/sse-client.ts';
import { clientsSchema } from '../support/strict-answers.ts';
import { type Principal, type Target, telephone } from './cells.ts';
import { type Answer, type World, hookAbout, timesIn } from './world.ts';

/**
 * - `open`: the content, or the thing itself; `redacted`: without what the redaction takes away
 * - `absent`: an answer in which it does not occur
 * - `own`: an answer with what is the caller's own, and nothing of other callers
 * - otherwise the HTTP status of a refusal, or the code of an error
 */
export type Outcome = string;

export interface Way {
  name: string;
  kind:
    | 'read'
    | 'history'
    | 'subscribe'
    | 'wait'
    | 'hear'
    | 'list'
    | 'template'
    | 'tool'
    | 'writing tool'
    | 'prompt'
    | 'links'
    | 'server'
    | 'clients'
    | 'extension'
    | 'task'
    | 'session'
    | 'admin'
    | 'page';
  /** Whether it is the way to one server alone. */
  isSingle?: boolean;
  /** With it, the way is tried with every spelling. */
  withUri?(this: void, world: World, who: Principal, target: Target, uri: string): Promise<Outcome>;
  /** Without a URI. */
  without?(this: void, world: World, who: Principal, target: Target): Promise<Outcome>;
}

/** `status` instead of the code where the request did not get as far as the resource. */
function outcomeOf(answer: Answer, { marker }: Target): Outcome {
  if (answer.text.includes(marker))
    return answer.text.includes(telephone) || !answer.text.includes('parties') ? 'open' : 'redacted';
  return answer.code ?? String(answer.status);
}

/** Not let in, or no such server: neither depends on what is asked for there. */
function early({ status, text }: Answer): Outcome | undefined {
  if (status === 401) return '401';
  return status === 404 && text.includes('There is nothing at /mcp/') ? '404' : undefined;
}

const occurs = (answer: Answer, what: string): Outcome =>
  early(answer) ?? (answer.text.includes(JSON.stringify(what).slice(1, -1)) ? 'open' : (answer.code ?? 'absent'));

const pathOf = (isSingle: boolean, { server }: Target) => (isSingle ? `/mcp/${server}` : '/mcp');
const nameOn = (isSingle: boolean, { server }: Target, name: string) => (isSingle ? name : `${server}_${name}`);

const tools = { docs: ['search', 'put'], secret: ['search', 'put'], vcon: ['search_vcons', 'delete_vcon'] } as const;
const prompts = { docs: 'about', secret: 'about', vcon: 'find_by_tags' } as const;
const templates = {
  docs: ['docs://corp/{+path}', 'path'],
  secret: ['secret://corp/{+path}', 'path'],
  vcon: ['vcon://v1/vcons/{uuid}', 'uuid'],
} as const;

const taskMethods = ['tasks/get', 'tasks/list', 'tasks/result', 'tasks/update', 'tasks/cancel'];
const initializeParams = { protocolVersion: '2025-11-25', capabilities: {} };
const clientInfo = { name: 'matrix', version: '1.0.0' };

function mcpWays(era: Era, isSingle: boolean): Way[] {
  const place = `${era} ${isSingle ? '/mcp/{id}' : '/mcp'}`;
  const rpc = (world: World, who: Principal, target: Target, method: string, params?: Record<string, unknown>) =>
    world.rpc(who, era, pathOf(isSingle, target), method, params);
  const ways: Way[] = [
    {
      name: `read, ${place}`,
      kind: 'read',
      withUri: async (world, who, target, uri) => {
        const answer = await rpc(world, who, target, 'resources/read', { uri });
        return early(answer) ?? outcomeOf(answer, target);
      },
    },
    {
      name: `subscribe, ${place}`,
      kind: 'subscribe',
      withUri: async (world, who, target, uri) => {
        const path = pathOf(isSingle, target);
        if (era === 'modern') return listening(world, who, path, uri);
        const answer = await rpc(world, who, target, 'resources/subscribe', { uri });
        if (answer.code === undefined) await rpc(world, who, target, 'resources/unsubscribe', { uri });
        return early(answer) ?? answer.code ?? 'open';
      },
    },
    {
      name: `resources/list, ${place}`,
      kind: 'list',
      without: async (world, who, target) => occurs(await rpc(world, who, target, 'resources/list'), target.uri),
    },
    {
      name: `resources/templates/list, ${place}`,
      kind: 'template',
      without: async (world, who, target) =>
        occurs(await rpc(world, who, target, 'resources/templates/list'), templates[target.server][0]),
    },
    {
      name: `completion of a template, ${place}`,
      kind: 'template',
      without: async (world, who, target) => {
        const [uri, name] = templates[target.server];
        const params = { ref: { type: 'ref/resource', uri }, argument: { name, value: '' } };
        const answer = await rpc(world, who, target, 'completion/complete', params);
        return early(answer) ?? (answer.code === undefined ? 'open' : 'absent');
      },
    },
    ...[0, 1].flatMap((index): Way[] => {
      const kind = index === 0 ? 'tool' : 'writing tool';
      const nameOf = (target: Target) => nameOn(isSingle, target, tools[target.server][index] ?? '');
      return [
        {
          name: `tools/list (${kind}), ${place}`,
          kind,
          without: async (world, who, target) => {
            const answer = await rpc(world, who, target, 'tools/list');
            return early(answer) ?? (answer.text.includes(`"name":"${nameOf(target)}"`) ? 'open' : 'absent');
          },
        },
        {
          name: `tools/call (${kind}), ${place}`,
          kind,
          without: async (world, who, target) => {
            // One that does nothing, also where it may be called.
            const params = { name: nameOf(target), arguments: index === 1 ? { uuid: 'none' } : {} };
            const answer = await rpc(world, who, target, 'tools/call', params);
            return early(answer) ?? (/"message":"[^"]*(not found|unknown)/i.test(answer.text) ? 'absent' : 'open');
          },
        },
      ];
    }),
    {
      name: `links and resources in the answer of a tool, ${place}`,
      kind: 'links',
      without: async (world, who, target) => {
        const answer = await rpc(world, who, target, 'tools/call', {
          name: nameOn(isSingle, target, tools[target.server][0]),
          arguments: {},
        });
        const isThere =
          target.server === 'vcon'
            ? answer.text.includes('Changed')
            : answer.text.includes(target.marker) && answer.text.includes(target.uri);
        return early(answer) ?? (isThere ? 'open' : 'absent');
      },
    },
    {
      name: `prompts/list, ${place}`,
      kind: 'prompt',
      without: async (world, who, target) =>
        occurs(await rpc(world, who, target, 'prompts/list'), nameOn(isSingle, target, prompts[target.server])),
    },
    {
      name: `prompts/get, ${place}`,
      kind: 'prompt',
      without: async (world, who, target) => {
        const name = nameOn(isSingle, target, prompts[target.server]);
        const params = { name, arguments: { path: 'x', key: 'a', value: 'b' } };
        const answer = await rpc(world, who, target, 'prompts/get', params);
        return early(answer) ?? (answer.text.includes('"messages"') ? 'open' : 'absent');
      },
    },
    {
      name: `completion of a prompt, ${place}`,
      kind: 'prompt',
      without: async (world, who, target) => {
        const ref = { type: 'ref/prompt', name: nameOn(isSingle, target, prompts[target.server]) };
        const argument = { name: target.server === 'vcon' ? 'key' : 'path', value: '' };
        const answer = await rpc(world, who, target, 'completion/complete', { ref, argument });
        return early(answer) ?? (answer.code === undefined ? 'open' : 'absent');
      },
    },
    {
      name: `capabilities, ${place}`,
      kind: 'extension',
      without: async (world, who, target) => {
        const [method, params] =
          era === 'modern' ? ['server/discover', {}] : ['initialize', { ...initializeParams, clientInfo }];
        const answer = await rpc(world, who, target, method, params);
        return early(answer) ?? (answer.text.includes(`example.com/${target.server}-search`) ? 'open' : 'absent');
      },
    },
    ...taskMethods.map((method): Way => ({
      name: `${method}, ${place}`,
      kind: 'task',
      without: async (world, who, target) => {
        const answer = await rpc(world, who, target, method, { taskId: 't1' });
        return early(answer) ?? (/"error"|"tasks":\[\]/.test(answer.text) ? 'absent' : 'open');
      },
    })),
    ...(era === 'modern' ? [] : ['ping', 'logging/setLevel']).map((method): Way => ({
      name: `${method}, ${place}`,
      kind: 'session',
      without: async (world, who, target) => {
        const answer = await rpc(world, who, target, method, { level: 'error' });
        return early(answer) ?? (answer.status === 200 ? 'open' : String(answer.status));
      },
    })),
  ];
  return ways.map((way) => Object.assign(way, { isSingle }));
}

/** Whether a listen request for this URI is agreed to. */
async function listening(world: World, who: Principal, path: string, uri: string): Promise<Outcome> {
  const stream = await openListen(`${world.hub.url}${path}`, [uri], world.headers(who));
  await eventually('an answer', () => stream.ended || stream.messages.length > 0);
  stream.destroy();
  if (stream.res.statusCode !== 200) return String(stream.res.statusCode);
  const [first] = stream.messages;
  return JSON.stringify(first?.params ?? {}).includes(JSON.stringify(uri)) ? 'open' : 'absent';
}

const changeTools = (['modern', 'legacy'] as const).flatMap((era): Way[] => [
  {
    name: `wait_for_change, ${era}`,
    kind: 'wait',
    withUri: async (world, who, _target, uri) => {
      const params = { name: 'wait_for_change', arguments: { uris: [uri], timeout_seconds: 0.001 } };
      const answer = await world.rpc(who, era, '/mcp', 'tools/call', params);
      return early(answer) ?? answer.code ?? 'open';
    },
  },
  {
    name: `wait_for_change for anything, ${era}`,
    kind: 'hear',
    without: async (world, who, { uri }) => {
      const params = { name: 'wait_for_change', arguments: { timeout_seconds: 0.001, since: world.start } };
      return occurs(await world.rpc(who, era, '/mcp', 'tools/call', params), uri);
    },
  },
  {
    name: `list_changes, ${era}`,
    kind: 'hear',
    without: async (world, who, { uri }) => {
      const params = { name: 'list_changes', arguments: { since: world.start } };
      return occurs(await world.rpc(who, era, '/mcp', 'tools/call', params), uri);
    },
  },
]);

/** What of the second round of changes this caller hears. */
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
    // A caller that passes the access check may be told that the request is invalid.
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
  // With an invalid body, and an id that does not exist: the other cells need the servers as they are.
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
  // here and a line in `rowOfRoute`: a test compares them with the sources.
  ...['/', '/api/whoami', '/api/demo', '/api/openapi.json'].map((path): Way => ({
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

/** Under which name each method of the protocol is tried; those that servers send to clients are none of the matrix's. */
export const rowOfMethod: Readonly<Record<string, string>> = {
  'completion/complete': 'completion of a template, modern /mcp',
  initialize: 'capabilities, legacy /mcp',
  'logging/setLevel': 'logging/setLevel, legacy /mcp',
  ping: 'ping, legacy /mcp',
  'prompts/get': 'prompts/get, modern /mcp',
  'prompts/list': 'prompts/list, modern /mcp',
  'resources/list': 'resources/list, modern /mcp',
  'resources/read': 'read, modern /mcp',
  'resources/subscribe': 'subscribe, legacy /mcp',
  'resources/templates/list': 'resources/templates/list, modern /mcp',
  // It ends what the caller itself has begun.
  'resources/unsubscribe': 'subscribe, legacy /mcp',
  'server/discover': 'capabilities, modern /mcp',
  'subscriptions/listen': 'subscribe, modern /mcp',
  ...Object.fromEntries(taskMethods.map((method) => [method, `${method}, modern /mcp`])),
  'tools/call': 'tools/call (tool), modern /mcp',
  'tools/list': 'tools/list (tool), modern /mcp',
};

/** Under which name each route of the sources is tried; routes before a caller is known are none of the matrix's. */
export const rowOfRoute: Readonly<Record<string, string>> = {
  'get /api/servers': '/api/servers',
  'post /api/servers': 'POST /api/servers',
  'delete /api/servers/:id': 'DELETE /api/servers/{id}',
  'patch /api/servers/:id': 'PATCH /api/servers/{id}',
  'post /api/servers/:id/restart': 'POST /api/servers/{id}/restart',
  'post /api/servers/:id/ping': 'POST /api/servers/{id}/ping',
  'get /api/servers/:id/log': '/api/servers/{id}/log',
  'get /api/servers/:id/definitions': '/api/servers/{id}/definitions',
  'post /api/servers/:id/trust': 'POST /api/servers/{id}/trust',
  'get /api/clients': '/api/clients',
  'get /api/resources': '/api/resources',
  'get /api/versions': '/api/versions?uri=',
  'get /api/events': '/api/events',
  'post /hooks/:host': 'POST /hooks/{host}?server=&uri=',
  'get /api/demo': 'GET /api/demo',
  'post /api/demo': 'POST /api/demo',
  'get /resources/:uri{.+}': '/resources/{uri}',
  '/resources/': '/resources/{uri}',
  'get /api/sessions': '/api/sessions',
  'post /api/sessions': 'POST /api/sessions',
  'delete /api/sessions/:id': 'DELETE /api/sessions/{id}',
  'get /api/sessions/:id/transcript': 'a transcript',
  '/mcp': 'read, modern /mcp',
  '/mcp/': 'read, modern /mcp/{id}',
  '/api/mcp/resource-events': 'the event stream',
  '/metrics': '/metrics',
  '/api/whoami': 'GET /api/whoami',
  'get /api/openapi.json': 'GET /api/openapi.json',
};
