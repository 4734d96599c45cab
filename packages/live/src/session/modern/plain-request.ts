// 2026-07-28 requests that are answered without the SDK: reads, lists, listens and calls that are well-formed beyond
// doubt. Accepts a strict subset of what the SDK accepts. All other requests go to the SDK, so that refusals are
// decided in one place; test/support/both-ways compares the two.
import {
  BAGGAGE_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  PROTOCOL_VERSION_META_KEY,
  type SubscriptionFilter,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from '@modelcontextprotocol/server';
import type { Fields } from '../../portable/is-object.ts';
import { modernVersion } from '../../portable/protocol-version.ts';
import { hasOnly, isFields, isRequestId } from '../fields.ts';
import type { PlainCall } from '../plain-call.ts';
import type { RequestId } from './frames.ts';

interface Common {
  readonly id: RequestId;
  /** The params as the client sent them. */
  readonly params: Record<string, unknown>;
  /** The client's name and version. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
}

export interface PlainRead extends Common {
  readonly method: 'resources/read';
  readonly uri: string;
  /** Whether it carries trace context. */
  readonly isTraced: boolean;
}

export interface PlainList extends Common {
  readonly method: 'resources/list';
  readonly cursor: string | undefined;
}

interface PlainListen extends Common {
  readonly method: 'subscriptions/listen';
  readonly filter: SubscriptionFilter;
}

export interface ModernCall extends PlainCall {
  readonly client: Common['client'];
  readonly meta: Record<string, unknown>;
  readonly capabilities: ClientCapabilities;
}

export type PlainRequest = PlainRead | PlainList | PlainListen | ModernCall;

/** Undefined if the SDK must validate the message. */
export function plainRequest(message: unknown): PlainRequest | undefined {
  if (!isFields(message) || !hasOnly(message, messageKeys)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0' || !isRequestId(id) || !isFields(params)) return undefined;
  const { _meta: meta } = params;
  if (!isFields(meta) || !isPlainMeta(meta, method === 'tools/call')) return undefined;
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY];
  if (!isPlainCapabilities(capabilities)) return undefined;
  const client = meta[CLIENT_INFO_META_KEY];
  if (client !== undefined && !isPlainClient(client)) return undefined;
  if (method === 'resources/read') {
    const { uri } = params;
    if (typeof uri !== 'string' || !hasOnly(params, readKeys)) return undefined;
    return { id, params, client, method, uri, isTraced: isTraced(meta) };
  }
  if (method === 'resources/list') {
    const { cursor } = params;
    const isPlain = (typeof cursor === 'string' || !('cursor' in params)) && hasOnly(params, listKeys);
    return isPlain
      ? { id, params, client, method, cursor: typeof cursor === 'string' ? cursor : undefined }
      : undefined;
  }
  if (method === 'subscriptions/listen') {
    const { notifications } = params;
    return isPlainFilter(notifications) && hasOnly(params, listenKeys)
      ? { id, params, client, method, filter: notifications }
      : undefined;
  }
  if (method === 'tools/call') {
    const { name, arguments: args } = params;
    if (typeof name !== 'string' || !isFields(args) || !hasOnly(params, callKeys)) return undefined;
    const { progressToken: token } = meta;
    const progressToken = isRequestId(token) ? token : undefined;
    return { id, params, client, method, name, args, meta, capabilities, progressToken };
  }
  return undefined;
}

const messageKeys = new Set(['jsonrpc', 'id', 'method', 'params']);
const readKeys = new Set(['uri', '_meta']);
const listKeys = new Set(['cursor', '_meta']);
const listenKeys = new Set(['notifications', '_meta']);
const callKeys = new Set(['name', 'arguments', '_meta']);
const clientKeys = new Set(['name', 'version', 'title', 'description', 'websiteUrl']);
const traceKeys = new Set([TRACEPARENT_META_KEY, TRACESTATE_META_KEY, BAGGAGE_META_KEY]);
const filterLists = new Set(['toolsListChanged', 'promptsListChanged', 'resourcesListChanged']);

/** Whether all members pass. `__proto__` never passes, because validators skip it. */
function every(fields: Fields, passes: (value: unknown, key: string) => boolean): boolean {
  for (const key in fields) if (key === '__proto__' || !passes(fields[key], key)) return false;
  return true;
}

function isTraced(meta: Fields): boolean {
  for (const key of traceKeys) if (key in meta) return true;
  return false;
}

/** A log level needs the SDK; so does a progress token, except that of a call. */
function isPlainMeta(meta: Fields, mayProgress: boolean): boolean {
  if (meta[PROTOCOL_VERSION_META_KEY] !== modernVersion) return false;
  return every(
    meta,
    (value, key) =>
      key === PROTOCOL_VERSION_META_KEY ||
      key === CLIENT_CAPABILITIES_META_KEY ||
      key === CLIENT_INFO_META_KEY ||
      (traceKeys.has(key) && typeof value === 'string') ||
      (mayProgress && key === 'progressToken' && isRequestId(value)),
  );
}

function isPlainClient(client: unknown): client is NonNullable<Common['client']> {
  if (!isFields(client) || typeof client['name'] !== 'string' || typeof client['version'] !== 'string') return false;
  return every(client, (value, key) => clientKeys.has(key) && typeof value === 'string');
}

function isPlainCapabilities(capabilities: unknown): capabilities is ClientCapabilities {
  return isFields(capabilities) && every(capabilities, isPlainCapability);
}

function isPlainCapability(capability: unknown, name: string): boolean {
  if (!isFields(capability)) return false;
  switch (name) {
    case 'roots':
      return every(capability, (value, key) => key === 'listChanged' && typeof value === 'boolean');
    case 'sampling':
      return every(capability, (value, key) => (key === 'context' || key === 'tools') && isEmpty(value));
    case 'elicitation':
      return every(capability, (value, key) => (key === 'form' || key === 'url') && isEmpty(value));
    case 'experimental':
    case 'extensions':
      return every(capability, (value) => isFields(value) && every(value, isSetting));
    default:
      return false;
  }
}

function isEmpty(value: unknown): boolean {
  return isFields(value) && hasOnly(value, noKeys);
}

const noKeys: ReadonlySet<string> = new Set();

function isSetting(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string');
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isPlainFilter(filter: unknown): filter is SubscriptionFilter {
  if (!isFields(filter)) return false;
  return every(filter, (value, key) => {
    if (key !== 'resourceSubscriptions') return filterLists.has(key) && typeof value === 'boolean';
    return Array.isArray(value) && value.every((uri) => typeof uri === 'string');
  });
}
