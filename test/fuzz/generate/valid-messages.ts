// All messages that a client may send, in their valid form, from which cases are made.
import type { Dice } from './dice.ts';
import type { Json, JsonObject } from './json.ts';
import { uris } from './odd-values.ts';

export type Era = 'legacy' | 'modern';

export interface Message {
  [member: string]: Json;
  jsonrpc: string;
  method: string;
}

const clientInfo = { name: 'fuzz', version: '1.0.0' };
const completions: JsonObject[] = [
  { ref: { type: 'ref/resource', uri: 'notes://{name}' }, argument: { name: 'name', value: 't' } },
  { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'A' }, context: { arguments: {} } },
];
const calls: JsonObject[] = [
  { name: 'set_note', arguments: { name: 'today', text: 'tea' } },
  { name: 'echo', arguments: { value: { list: [1, 'two', null] } } },
  { name: 'slow', arguments: { ms: 5 } },
  { name: 'boom', arguments: {} },
];
const prompts: JsonObject[] = [{ name: 'greet', arguments: { who: 'Ann' } }, { name: 'boom' }];
const filters: JsonObject[] = [
  { resourceSubscriptions: uris.slice(0, 3) },
  { resourceSubscriptions: uris, resourcesListChanged: true, toolsListChanged: true, promptsListChanged: true },
  { resourceSubscriptions: ['secret://x', 'unknown://x'] },
  { resourcesListChanged: false },
  {},
];

type Params = (dice: Dice) => JsonObject;

const shared: Record<string, Params> = {
  'resources/list': () => ({
    cursor: Buffer.from('{"t":"clock://now","n":1,"u":"clock://now"}').toString('base64url'),
  }),
  'resources/templates/list': () => ({}),
  'resources/read': (dice) => ({ uri: dice.pick(uris) }),
  'completion/complete': (dice) => dice.pick(completions),
  'tools/list': () => ({}),
  'tools/call': (dice) => dice.pick(calls),
  'prompts/list': () => ({}),
  'prompts/get': (dice) => dice.pick(prompts),
  'notifications/cancelled': () => ({ requestId: 'nobody', reason: 'changed my mind' }),
};

const paramsOf: Record<Era, Record<string, Params>> = {
  legacy: {
    ...shared,
    ping: () => ({}),
    initialize: () => ({ protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
    'notifications/initialized': () => ({}),
    'resources/subscribe': (dice) => ({ uri: dice.pick(uris) }),
    'resources/unsubscribe': (dice) => ({ uri: dice.pick(uris) }),
    'logging/setLevel': () => ({ level: 'info' }),
    'notifications/roots/list_changed': () => ({}),
  },
  modern: {
    ...shared,
    'server/discover': () => ({}),
    'subscriptions/listen': (dice) => ({ notifications: dice.pick(filters) }),
  },
};

export const methods: Record<Era, readonly string[]> = {
  legacy: Object.keys(paramsOf.legacy),
  modern: Object.keys(paramsOf.modern),
};

/** In half of the cases a method with params, because most others have none that could be wrong. */
export function pickMethod(era: Era, dice: Dice): string {
  const telling = methods[era].filter((method) =>
    /read|subscribe|complete|call|get|listen|resources.list/.test(method),
  );
  return dice.pick(dice.chance(0.5) ? telling : methods[era]);
}

export function validMessage(era: Era, method: string, id: string, dice: Dice): Message {
  const params = paramsOf[era][method]?.(dice) ?? {};
  const isNotification = method.startsWith('notifications/');
  return {
    jsonrpc: '2.0',
    ...(!isNotification && { id }),
    method,
    params: era === 'modern' ? { ...params, _meta: envelope() } : params,
  };
}

function envelope(): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}
