// Why a request failed: the server's code and message.
import { ProtocolError, ResourceNotFoundError, SdkError } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import { messageOf, responseCode } from '@tidings/live/portable';
import { Failure } from '../terminal/failure.ts';

/** A request that failed with a stable code, or else with the protocol's number. */
export class RequestFailure extends Failure {
  readonly code: string;

  constructor(code: string, message: string) {
    // The 1.x SDK puts the number into the message too.
    super(`${code}: ${message.replace(/^MCP error -?\d+: /, '')}`);
    this.code = code;
  }
}

/** Converts errors of servers and of the connection; any other error is a bug and is returned unchanged. */
export function requestFailure(error: unknown): unknown {
  if (error instanceof ResourceNotFoundError) return new RequestFailure('RESOURCE_NOT_FOUND', error.message);
  if (error instanceof ProtocolError) return new RequestFailure(responseCode(error), error.message);
  if (error instanceof SdkError || error instanceof LiveError) return new RequestFailure(error.code, error.message);
  return error;
}

/** The message of the failure. */
export function reasonOf(error: unknown): string {
  const failure = requestFailure(error);
  return messageOf(failure);
}
