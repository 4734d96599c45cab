// Which HTTP requests are answered without the SDK: the body is plain, and the headers say exactly what it says.
import type { IncomingMessage } from 'node:http';
import { type PlainRequest, modernVersion, plainRequest } from '../session/modern/plain-request.ts';

/** The body was found to be JSON by its media type. Undefined where the SDK is to look at the request. */
export type Recognise = (req: IncomingMessage, body: unknown) => PlainRequest | undefined;

export const plainHttpRequest: Recognise = ({ headers, rawHeaders }, body) => {
  if (headers['mcp-protocol-version'] !== modernVersion) return undefined;
  const request = plainRequest(body);
  if (request === undefined || headers['mcp-method'] !== request.method) return undefined;
  return isNamed(request, headers['mcp-name']) && hasOneContentType(rawHeaders) ? request : undefined;
};

/** `=?base64?…?=` stands for what a header cannot carry as it is: the SDK decodes it. */
function isNamed(request: PlainRequest, name: string | string[] | undefined): boolean {
  if (request.method !== 'resources/read') return name === undefined;
  return name === request.uri && !request.uri.startsWith('=?');
}

/** Node keeps the first of several, the SDK sees all of them. */
function hasOneContentType(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 12 && name.toLowerCase() === 'content-type') count += 1;
  }
  return count === 1;
}
