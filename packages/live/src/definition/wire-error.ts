// Maps a thrown error to the JSON-RPC error that the client gets.
import { ProtocolError } from '@modelcontextprotocol/server';
import { LimitExceeded, LiveError, errorCodes } from '../error.ts';
import type { Log } from '../log.ts';

/** Runs a request handler; what it throws reaches the client as a JSON-RPC error with a stable code. */
export async function answering<T>(log: Log, uri: string | undefined, handle: () => T | Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (error) {
    throw toProtocolError(error, uri, log);
  }
}

export function toProtocolError(error: unknown, uri: string | undefined, log: Log): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const known = error instanceof LiveError ? error : surprise(error, uri, log);
  const about = known.uri ?? uri;
  return new ProtocolError(errorCodes[known.code].rpc, known.message, {
    code: known.code,
    ...(about !== undefined && { uri: about }),
    ...(known instanceof LimitExceeded && { retryAfter: known.retryAfter }),
  });
}

/** Logs a programming error and stands in for it: its text is not for clients. */
export function surprise(error: unknown, uri: string | undefined, log: Log): LiveError {
  log.error({ error, ...(uri !== undefined && { uri }) }, 'A handler failed unexpectedly.');
  return new LiveError('INTERNAL', 'The server failed to answer. The reason is in its log.', uri);
}
