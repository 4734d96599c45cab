// 2025-era requests that are answered without the SDK if they are well-formed beyond doubt: subscriptions, of which one
// client may send ten thousand, and calls of tools that wait. Accepts a strict subset of what the SDK accepts.
import { RELATED_TASK_META_KEY, type RequestId, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { hasOnly, isFields, isRequestId } from '../fields.ts';
import type { PlainCall } from '../plain-call.ts';

export interface PlainSubscribe {
  readonly id: RequestId;
  /** The params as the client sent them. */
  readonly params: Record<string, unknown>;
  readonly method: 'resources/subscribe';
  readonly uri: string;
}

/** Undefined if the SDK must handle the request. */
export function plainRequest(
  body: unknown,
  header: (name: string) => string | undefined,
): PlainSubscribe | PlainCall | undefined {
  if (!isFields(body) || !hasOnly(body, messageKeys)) return undefined;
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== '2.0' || !isRequestId(id) || !isFields(params) || !isPlainHead(header)) return undefined;
  if (method === 'resources/subscribe') {
    const { uri } = params;
    return typeof uri === 'string' && hasOnly(params, subscribeKeys) ? { id, method, params, uri } : undefined;
  }
  if (method !== 'tools/call' || !hasOnly(params, callKeys)) return undefined;
  const { name, arguments: args, _meta: meta = {} } = params;
  if (typeof name !== 'string' || !isFields(args) || !isFields(meta) || RELATED_TASK_META_KEY in meta) return undefined;
  const { progressToken: token } = meta;
  if (token !== undefined && !isRequestId(token)) return undefined;
  return { id, method, params, name, args, progressToken: token };
}

const messageKeys = new Set(['jsonrpc', 'id', 'method', 'params']);
const subscribeKeys = new Set(['uri']);
const callKeys = new Set(['name', 'arguments', '_meta']);

function isPlainHead(header: (name: string) => string | undefined): boolean {
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(header('mcp-protocol-version') ?? '')) return false;
  const accept = header('accept') ?? '';
  return accept.includes('application/json') && accept.includes('text/event-stream');
}
