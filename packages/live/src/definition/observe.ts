// Calls an observer for every request, once it has been answered: method, caller and outcome. It reads the messages
// between the SDK and its transport, so it also sees requests without a handler, such as unknown tools.
import type { JSONRPCMessage, McpServer, RequestId, Result, Server, Transport } from '@modelcontextprotocol/server';
import type { Log } from '../base/log.ts';
import { responseCode } from '../portable/error-code.ts';
import { isPromiseLike } from '../portable/is-promise-like.ts';
import type { Clock } from '../time/clock.ts';
import type { Caller } from '../resource/caller.ts';
import { withInvalidParams } from './answer/invalid-params.ts';

/** A request that was answered or refused. */
export interface ObservedRequest {
  readonly caller: Caller;
  readonly method: string;
  /** The params as the client sent them. Do not modify. */
  readonly params: unknown;
  /** The client's own name. */
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  /** For 2025-era clients over HTTP. */
  readonly sessionId?: string | undefined;
  /** The stable code of the failure, or else the JSON-RPC code. Undefined if the request succeeded. */
  readonly code?: string | undefined;
  readonly ms: number;
}

/** Called after each answer; must return quickly. Its errors are logged. */
export type Observe = (request: ObservedRequest) => void;

/** Catches and logs what the observer throws, so that it does not affect the request. */
export function unfailingObserve(observe: Observe, log: Log): Observe {
  const failed = (error: unknown) => log.error({ err: error }, 'observe failed.');
  return (request) => {
    try {
      const observed: unknown = observe(request);
      if (isPromiseLike(observed)) Promise.resolve(observed).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

interface Observer {
  readonly observe: Observe;
  readonly clock: Clock;
  caller(this: void): Caller;
  /** When the request arrived. Default: when it is first seen here. */
  readonly startedAt?: number | undefined;
}

interface ObservedStart {
  method: string;
  params: unknown;
  startedAt: number;
}

/** Call it before the server is connected. */
export function observeRequests(
  served: Server | McpServer,
  { observe, clock, caller, startedAt: cameAt }: Observer,
): void {
  const server = 'server' in served ? served.server : served;
  const connect = served.connect.bind(served);
  served.connect = async (transport: Transport) => {
    await connect(transport);
    const pending = new Map<RequestId, ObservedStart>();
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      if ('method' in message && 'id' in message) {
        pending.set(message.id, { method: message.method, params: message.params, startedAt: cameAt ?? clock.now() });
      }
      onmessage?.(message, extra);
    };
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const request = 'method' in message || message.id === undefined ? undefined : pending.get(message.id);
      if (request !== undefined && !('method' in message) && message.id !== undefined) {
        pending.delete(message.id);
        const { method, params, startedAt } = request;
        const client = server.getClientVersion();
        observe({ caller: caller(), method, params, client, code: codeOf(message), ms: clock.now() - startedAt });
      }
      return send(message, options);
    };
  };
}

/** The code of a failed request; undefined if it succeeded. */
export function codeOf(answer: JSONRPCMessage): string | undefined {
  if ('result' in answer) return codeOfResult(answer.result);
  const corrected = withInvalidParams(answer);
  if (!('error' in corrected)) return undefined;
  return responseCode(corrected.error);
}

/** The same for a result: a tool's result may say that the call failed. */
export function codeOfResult({ isError, _meta }: Result): string | undefined {
  if (isError !== true) return undefined;
  const code = _meta?.['tidings/code'];
  return typeof code === 'string' ? code : 'TOOL_ERROR';
}
