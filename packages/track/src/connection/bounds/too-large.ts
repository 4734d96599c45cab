// Errors for messages that are larger or more deeply nested than allowed. The caller gets an error at once and no
// timeout.
import { type JSONRPCMessage } from '@modelcontextprotocol/client';
import { LiveError, errorCodes } from '@tidings/live';
import { shapeLimits } from './json-shape.ts';

export function tooLarge(limit: number): LiveError {
  const size = limit >= 1024 * 1024 ? `${Math.round(limit / 1024 / 1024)} MB` : `${limit} bytes`;
  return new LiveError('RESPONSE_TOO_LARGE', `The answer is larger than ${size}. Ask for less, or for a part.`);
}

export function tooComplex(): LiveError {
  const { levels, values } = shapeLimits;
  const message = `The answer nests deeper than ${levels} levels or holds more than ${values} values. Ask for less, or for a part.`;
  return new LiveError('RESPONSE_TOO_LARGE', message);
}

/** The error response that replaces a rejected message, so that its request ends. */
export function refusedAnswer(id: string | number, { code, message }: LiveError): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: errorCodes[code].rpc, message, data: { code } } };
}

/**
 * The id of the request that a message answers, found in the first or last bytes: some servers write the id first, some
 * last.
 */
export function answeredId(head: string, tail: string): string | number | undefined {
  const id =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]{1,64}")/.exec(head)?.[1] ??
    /"id"\s*:\s*(\d+|"[^"\\]{1,64}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)?.[1];
  if (id === undefined) return undefined;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}
