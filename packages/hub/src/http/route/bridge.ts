// `GET /resources/{percent-encoded URI}`: the content of a resource, for programs without MCP.
import { createHash } from 'node:crypto';
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { type Caller, LiveError } from '@tidings/live';
import { addressOf } from '../../gateway/owner/address.ts';
import type { GatewayDirectory } from '../../gateway/resource/gateway-directory.ts';

interface Bridged {
  body: Uint8Array;
  type: string;
  etag: string;
}

interface BridgedRead {
  /** The URI, percent-encoded. */
  encoded: string;
  /** Chooses where several servers have the URI. */
  server: string | undefined;
  /** Aborted when the reader no longer waits. */
  left: AbortSignal;
}

export async function bridge(
  directory: Pick<GatewayDirectory, 'readAlone'>,
  caller: Caller,
  { encoded, server, left }: BridgedRead,
): Promise<Bridged> {
  const uri = decodedUri(encoded);
  const requestedUri = server === undefined ? uri : addressOf({ serverId: server, uri });
  return bridged(await directory.readAlone(caller, requestedUri, left));
}

/** A result of a read as a response of HTTP. */
export function bridged(result: ReadResourceResult): Bridged {
  const { body, type } = contentOf(result);
  const etag = `"${createHash('sha256').update(type).update(body).digest('base64url')}"`;
  return { body, type, etag };
}

/** A single content is served as the body, several as the JSON of MCP. */
function contentOf({ contents }: ReadResourceResult): Omit<Bridged, 'etag'> {
  const [only] = contents;
  if (only === undefined || contents.length > 1) return { body: bytes(JSON.stringify({ contents })), type: json };
  if ('blob' in only)
    return { body: Buffer.from(only.blob, 'base64'), type: typeIn(only) ?? 'application/octet-stream' };
  return { body: bytes(only.text), type: withCharset(typeIn(only) ?? 'text/plain') };
}

const json = 'application/json; charset=utf-8';

/** A server's MIME type may contain characters that a header must not have. */
const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?: ?; ?[\w-]{1,50}=(?:[\w.+-]{1,100}|"[\w .,+:/-]{0,100}")){0,5}$/;

function typeIn({ mimeType }: { mimeType?: string | undefined }): string | undefined {
  return mimeType !== undefined && mediaType.test(mimeType) ? mimeType : undefined;
}

function withCharset(type: string): string {
  return type.includes('charset') ? type : `${type}; charset=utf-8`;
}

function bytes(text: string): Buffer {
  return Buffer.from(text);
}

export function decodedUri(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new LiveError('INVALID_URI', 'The URI has a malformed percent-escape: write a plain % as %25.');
  }
}
