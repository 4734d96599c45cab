// The ways into the hub over MCP, and its tools for changes.
import { type Era, eventually } from '@tidings/live/testing';
import { openListen } from '../support/wire/raw-http.ts';
import type { Principal, Target } from './cells.ts';
import { type Outcome, type Way, early, occurs, outcomeOf } from './way.ts';
import type { World } from './world.ts';

const pathOf = (isSingle: boolean, { server }: Target) => (isSingle ? `/mcp/${server}` : '/mcp');
const nameOn = (isSingle: boolean, { server }: Target, name: string) => (isSingle ? name : `${server}_${name}`);

const tools = { docs: ['search', 'put'], secret: ['search', 'put'], vcon: ['search_vcons', 'delete_vcon'] } as const;
const prompts = { docs: 'about', secret: 'about', vcon: 'find_by_tags' } as const;
const templates = {
  docs: ['docs://corp/{+path}', 'path'],
  secret: ['secret://corp/{+path}', 'path'],
  vcon: ['vcon://v1/vcons/{uuid}', 'uuid'],
} as const;

export const taskMethods = ['tasks/get', 'tasks/list', 'tasks/result', 'tasks/update', 'tasks/cancel'];
const initializeParams = { protocolVersion: '2025-11-25', capabilities: {} };
const clientInfo = { name: 'matrix', version: '1.0.0' };

export function mcpWays(era: Era, isSingle: boolean): Way[] {
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
            // Has no effect, even if the call is allowed.
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

/** Whether a listen request for this URI is honoured. */
async function listening(world: World, who: Principal, path: string, uri: string): Promise<Outcome> {
  const stream = await openListen(`${world.hub.url}${path}`, [uri], world.headers(who));
  await eventually('an answer', () => stream.ended || stream.messages.length > 0);
  stream.destroy();
  if (stream.res.statusCode !== 200) return String(stream.res.statusCode);
  const [first] = stream.messages;
  return JSON.stringify(first?.params ?? {}).includes(JSON.stringify(uri)) ? 'open' : 'absent';
}

export const changeTools = (['modern', 'legacy'] as const).flatMap((era): Way[] => [
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
