// Maps a thrown error to the JSON-RPC error that the client gets.
import { ProtocolError } from '@modelcontextprotocol/server';
import { LimitExceeded, LiveError, errorCodes } from '../../base/error.ts';
import type { Log } from '../../base/log.ts';
import { HandlerFailure } from '../../resource/handler-failure.ts';
import { RpcError } from './rpc-error.ts';

/** The request in which an error happened: `uri` is sent to the client, the rest is for the log. */
export interface About {
  readonly uri?: string | undefined;
  readonly tool?: string;
  readonly prompt?: string;
  readonly route?: string;
  readonly handler?: string;
}

/** Runs a request handler; an error that it throws reaches the client as a JSON-RPC error with a stable code. */
export async function answering<T>(log: Log, about: About, handle: () => T | Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (error) {
    throw toProtocolError(error, about, log);
  }
}

export function toProtocolError(error: unknown, about: About, log: Log): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof RpcError) return new ProtocolError(error.code, error.message, error.data);
  const known = error instanceof LiveError ? error : internalError(error, about, log);
  const uri = known.uri ?? about.uri;
  return new ProtocolError(errorCodes[known.code].rpc, known.message, {
    code: known.code,
    ...(uri !== undefined && { uri }),
    ...(known instanceof LimitExceeded && { retryAfter: known.retryAfter }),
  });
}

export function asRpcError({ code, message }: LiveError): RpcError {
  return new RpcError(errorCodes[code].rpc, message, { code });
}

/** Logs a programming error and returns the error for the client, without its text. */
export function internalError(error: unknown, about: About, log: Log): LiveError {
  const { uri, ...rest } = about;
  const [err, where] = error instanceof HandlerFailure ? [error.cause, error.about] : [error, {}];
  log.error({ err, ...rest, ...where, ...(uri !== undefined && { uri }) }, 'A handler failed unexpectedly.');
  return new LiveError('INTERNAL', 'The server failed to answer. The reason is in its log.', uri);
}
