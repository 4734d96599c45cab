// A JSON-RPC error as the answer to a request.
import { type RequestId, isJSONRPCRequest } from '@modelcontextprotocol/server';
import type { Log } from '../log.ts';
import { toProtocolError } from '../definition/wire-error.ts';
import { LiveError } from '../error.ts';
import { type Sending, retryHeader } from './http-exchange.ts';

export function rpcError(id: RequestId | null, thrown: unknown, log: Log): Response {
  const { code, message, data } = toProtocolError(thrown, {}, log);
  const headers = thrown instanceof LiveError ? retryHeader(thrown) : {};
  return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } }, { headers });
}

/** How a request is refused by its id; undefined for a batch, and what is no request. */
export function refusalOf(body: unknown, log: Log): Sending['refusal'] {
  return isJSONRPCRequest(body) ? (error) => rpcError(body.id, error, log) : undefined;
}
