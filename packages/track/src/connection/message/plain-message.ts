// Recognises messages that are certainly well-formed and need no validator. Validation costs more than all other work
// on an update. Accepts a strict subset of what the SDK accepts; the SDK validates all others.
import { type JSONRPCMessage, RELATED_TASK_META_KEY } from '@modelcontextprotocol/client';
import { isFields } from '@tidings/live/internal';
import type { Fields } from '@tidings/live/portable';

/** Undefined if the SDK must validate the message. */
export function plainMessage(value: unknown): JSONRPCMessage | undefined {
  if (!isFields(value) || value['jsonrpc'] !== '2.0') return undefined;
  if ('method' in value) return isPlainNotification(value) ? value : undefined;
  return isPlainResult(value) ? value : undefined;
}

/** The URI, if the message is the notification of an update. */
export function updatedUri(message: JSONRPCMessage): string | undefined {
  if (!('method' in message) || message.method !== 'notifications/resources/updated' || 'id' in message)
    return undefined;
  const uri = isPlainNotification(message) ? message.params?.['uri'] : undefined;
  return typeof uri === 'string' ? uri : undefined;
}

interface PlainNotification extends Fields {
  jsonrpc: '2.0';
  method: string;
  params?: Fields;
}

interface PlainResult extends Fields {
  jsonrpc: '2.0';
  id: string | number;
  result: Fields;
}

function isPlainNotification(message: object): message is PlainNotification {
  if (!isFields(message) || typeof message['method'] !== 'string') return false;
  for (const key in message) if (key !== 'jsonrpc' && key !== 'method' && key !== 'params') return false;
  return !('params' in message) || isPlainBody(message['params']);
}

function isPlainResult(message: Fields): message is PlainResult {
  const { id, result } = message;
  for (const key in message) if (key !== 'jsonrpc' && key !== 'id' && key !== 'result') return false;
  return (typeof id === 'string' || Number.isSafeInteger(id)) && isPlainBody(result);
}

function isPlainBody(body: unknown): boolean {
  if (!isFields(body)) return false;
  const { _meta: meta } = body;
  if (meta === undefined) return !('_meta' in body);
  return isFields(meta) && !('progressToken' in meta) && !(RELATED_TASK_META_KEY in meta);
}
