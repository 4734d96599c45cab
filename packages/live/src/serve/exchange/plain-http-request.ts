// Recognises HTTP requests that are answered without the SDK: the body is plain, and the headers match it exactly.
import { modernVersion } from '../../portable/protocol-version.ts';
import { type PlainRequest, plainRequest } from '../../session/modern/plain-request.ts';
import type { HttpExchange } from './http-exchange.ts';

/** Call it for bodies with a JSON media type. Undefined if the SDK must handle the request. */
export type Recognise = (exchange: HttpExchange<unknown>, body: unknown) => PlainRequest | undefined;

export const plainHttpRequest: Recognise = (exchange, body) => {
  if (exchange.header('mcp-protocol-version') !== modernVersion) return undefined;
  const request = plainRequest(body);
  if (request === undefined || exchange.header('mcp-method') !== request.method) return undefined;
  return isNamed(request, exchange.header('mcp-name')) && exchange.hasOneContentType() ? request : undefined;
};

/** `=?base64?…?=` is the form of a name that a header cannot contain: the SDK decodes it. */
function isNamed(request: PlainRequest, name: string | undefined): boolean {
  const named =
    request.method === 'resources/read' ? request.uri : request.method === 'tools/call' ? request.name : undefined;
  return name === named && named?.startsWith('=?') !== true;
}
