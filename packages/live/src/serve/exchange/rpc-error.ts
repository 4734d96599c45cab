// A JSON-RPC error as the answer to a request.
import { type RequestId, isJSONRPCRequest } from '@modelcontextprotocol/server';
import type { Observe } from '../../definition/observe.ts';
import type { Log } from '../../base/log.ts';
import type { Caller } from '../../resource/caller.ts';
import { toProtocolError } from '../../definition/answer/wire-error.ts';
import { LiveError } from '../../base/error.ts';
import { type Sending, retryHeader } from './http-exchange.ts';

export function rpcError(id: RequestId | null, thrown: unknown, log: Log): Response {
  const { code, message, data } = toProtocolError(thrown, {}, log);
  const headers = thrown instanceof LiveError ? retryHeader(thrown) : {};
  return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } }, { headers });
}

interface RefusalDeps {
  readonly caller: Caller;
  readonly log: Log;
  readonly observe: Observe | undefined;
}

/**
 * How to refuse a request by its id when there is no room for its response. The observer, which was called for that
 * response, is called again for the refusal. Undefined for a batch, and for a body that is not a request.
 */
export function noRoomRefusal(body: unknown, { caller, log, observe }: RefusalDeps): Sending['refusal'] {
  if (!isJSONRPCRequest(body)) return undefined;
  const { id, method, params } = body;
  return (error) => {
    observe?.({ caller, method, params, code: error instanceof LiveError ? error.code : 'INTERNAL', ms: 0 });
    return rpcError(id, error, log);
  };
}
