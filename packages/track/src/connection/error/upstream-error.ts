// Turns errors of a server into LiveErrors.
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { type ErrorCode, LiveError, errorCodes } from '@tidings/live';
import { parsedJson } from '@tidings/live/portable';
import { z } from 'zod';
import type { Conceal } from './concealer.ts';
import { describeError, isOutage } from './describe-error.ts';
import { isTimeout } from './is-timeout.ts';

const dataSchema = z.object({ code: z.custom<ErrorCode>((code) => typeof code === 'string' && code in errorCodes) });
const legacyNotFound = -32002;
const invalidParams = -32602;

export function unavailable(serverId: string, why: string, cause?: unknown): LiveError {
  return Object.assign(new LiveError('UNAVAILABLE', `The server "${serverId}" is not available: ${why}`), { cause });
}

/** Errors of the SDK about an answer that the protocol does not allow. */
const invalid: ReadonlySet<string> = new Set([SdkErrorCode.InvalidResult, SdkErrorCode.UnsupportedResultType]);

/** An error response keeps its message. Without a response that can be used, the server is unavailable. */
export function fromConnection(serverId: string, error: unknown, conceal: Conceal): unknown {
  if (error instanceof ProtocolError) concealIn(error, conceal);
  if (error instanceof ProtocolError || error instanceof LiveError) return error;
  const isUnusable = isTimeout(error) || (error instanceof SdkError && invalid.has(error.code));
  if (error instanceof SdkError && !isOutage(error) && !isUnusable) return error;
  return unavailable(serverId, describeError(error, conceal), error);
}

/** Whether this is the error for an answer that the protocol does not allow: the server is there. */
export function isInvalidAnswer({ cause }: LiveError): boolean {
  return cause instanceof SdkError && invalid.has(cause.code);
}

/** The error of a `resources/read`. */
export function fromRead(serverId: string, uri: string, error: unknown, conceal: Conceal): LiveError {
  if (error instanceof LiveError) return error;
  if (!(error instanceof ProtocolError)) {
    return unavailable(serverId, describeError(error, conceal), error);
  }
  concealIn(error, conceal);
  const own = dataSchema.safeParse(error.data).data?.code;
  const isNotFound = error.code === legacyNotFound || error.code === invalidParams;
  const code = own ?? (isNotFound ? 'RESOURCE_NOT_FOUND' : 'UNAVAILABLE');
  return Object.assign(new LiveError(code, error.message, uri), { cause: error });
}

/** Message and data may both quote the request that was sent. */
function concealIn(error: ProtocolError, conceal: Conceal): void {
  error.message = conceal(error.message);
  if (error.data === undefined) return;
  const json = JSON.stringify(error.data);
  const concealed = conceal(json);
  // Replacing a secret may break the JSON: then there is no data.
  if (concealed !== json) Object.assign(error, { data: parsedJson(concealed) });
}
