// A read without the SDK: the request, and whether the SDK would pass its result on unchanged.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type ReadResourceResult,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { DirectRequest } from './direct-http-client.ts';
import { isObject } from '@tidings/live/portable';

/** The `_meta` with which every request of 2026-07-28 describes its client. */
export type Envelope = Readonly<z.infer<typeof envelopeSchema>>;

const envelopeSchema = z.object({
  [PROTOCOL_VERSION_META_KEY]: z.string(),
  [CLIENT_INFO_META_KEY]: z.unknown(),
  [CLIENT_CAPABILITIES_META_KEY]: z.unknown(),
});
const discoverySchema = z.object({
  method: z.literal('server/discover'),
  params: z.object({ _meta: envelopeSchema }),
});

const method = 'resources/read';
/** The longest plain answer; most resources are shorter. */
const mostBytes = 64 * 1024;
/** Other characters need an encoding in a header, which only the SDK does. */
const headerSafe = /^[\x21-\x7e]+$/;

/** The envelope in a health check. Undefined for other messages, which may be sent for another client. */
export function envelopeOf(message: JSONRPCMessage): Envelope | undefined {
  return discoverySchema.safeParse(message).data?.params._meta;
}

/** The request; undefined if the SDK has to send it. `envelope`: for a server of 2026-07-28. */
export function plainRead(uri: string, envelope: Envelope | undefined): DirectRequest | undefined {
  if (!headerSafe.test(uri)) return undefined;
  if (envelope === undefined) return { method, params: { uri }, mostBytes };
  const headers = {
    'Mcp-Protocol-Version': envelope[PROTOCOL_VERSION_META_KEY],
    'Mcp-Method': method,
    'Mcp-Name': uri,
  };
  return { method, params: { uri, _meta: envelope }, headers, mostBytes };
}

/** The result, including members that the SDK does not know; undefined if the SDK has to validate it. */
export function plainReadResult(result: Readonly<Record<string, unknown>>): ReadResourceResult | undefined {
  const { contents, resultType = 'complete', ttlMs = 0, cacheScope = 'private', _meta = {} } = result;
  if (!isObject(_meta) || !Array.isArray(contents)) return undefined;
  if (resultType !== 'complete' || typeof ttlMs !== 'number') return undefined;
  if (cacheScope !== 'private' && cacheScope !== 'public') return undefined;
  if (!contents.every(isTextContent)) return undefined;
  const { resultType: _resultType, ...rest } = result;
  return { ...rest, contents };
}

function isTextContent(content: unknown): content is ReadResourceResult['contents'][number] {
  if (!isObject(content) || 'blob' in content) return false;
  const { uri, text, mimeType = '', _meta = {} } = content;
  return [uri, text, mimeType].every((each) => typeof each === 'string') && isObject(_meta);
}
