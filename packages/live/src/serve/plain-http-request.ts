// Which HTTP requests are answered without the SDK: the body is plain, and the headers say exactly what it says.
import { type PlainRequest, modernVersion, plainRequest } from '../session/modern/plain-request.ts';
import type { HttpExchange } from './http-exchange.ts';

/** The body was found to be JSON by its media type. Undefined if the SDK is to look at the request. */
export type Recognise = (exchange: HttpExchange<unknown>, body: unknown) => PlainRequest | undefined;

export const plainHttpRequest: Recognise = (exchange, body) => {
  if (exchange.header('mcp-protocol-version') !== modernVersion) return undefined;
  const request = plainRequest(body);
  if (request === undefined || exchange.header('mcp-method') !== request.method) return undefined;
  return isNamed(request, exchange.header('mcp-name')) && exchange.hasOneContentType() ? request : undefined;
};

/** `=?base64?…?=` stands for what a header cannot carry as it is: the SDK decodes it. */
function isNamed(request: PlainRequest, name: string | undefined): boolean {
  const named =
    request.method === 'resources/read' ? request.uri : request.method === 'tools/call' ? request.name : undefined;
  return name === named && named?.startsWith('=?') !== true;
}
