// Adapts a server's error to the caller: with its code and data, or as a missing capability if the server needs one
// that the caller's client lacks.
import {
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/client';
import { type Caller, LiveError, RpcError } from '@tidings/live';
import { isObject } from '@tidings/live/portable';
import type { Upstream } from '@tidings/track';
import { z } from 'zod';

const missingClientCapability: number = ProtocolErrorCode.MissingRequiredClientCapability;
const legacyNotFound = -32002;
const modernNotFound = -32602;
const missingSchema = z.object({ requiredCapabilities: z.custom<ClientCapabilities>(isObject).optional() });

/** The names of the capabilities that a server's error reports as missing; undefined for any other error. */
export function missingIn(error: unknown): string[] | undefined {
  if (!(error instanceof ProtocolError) || error.code !== missingClientCapability) {
    return undefined;
  }
  const { requiredCapabilities = {} } = missingSchema.safeParse(error.data).data ?? {};
  return Object.keys(requiredCapabilities);
}

/** For a missing capability, a modern client gets the protocol's code; the 2025 era has none. */
export function errorForCaller({ id }: Pick<Upstream, 'id'>, caller: Caller, error: unknown): unknown {
  if (!(error instanceof ProtocolError)) return error;
  const missing = missingIn(error);
  if (missing === undefined)
    return Object.assign(new RpcError(error.code, error.message, error.data), { cause: error });
  return refusal(id, caller, missing, error.data);
}

/** The error of a read as the server sent it, with the code for "not found" in the caller's era. */
export function asAnswered(upstream: Pick<Upstream, 'status'>, caller: Caller, error: unknown): unknown {
  const cause = error instanceof LiveError ? error.cause : undefined;
  // The SDK has taken such an error apart.
  if (!(cause instanceof ProtocolError) || cause instanceof ResourceNotFoundError) return error;
  const { message, data } = cause;
  return Object.assign(new RpcError(codeFor(upstream, caller, cause.code), message, data), { cause });
}

function codeFor(upstream: Pick<Upstream, 'status'>, caller: Caller, code: number): number {
  if (caller.era === 'modern') return code === legacyNotFound ? modernNotFound : code;
  return code === modernNotFound && upstream.status().era === 'modern' ? legacyNotFound : code;
}

/** The error for a missing capability that a 2025-era server reported as text. */
export function capabilityRefusal({ id }: Pick<Upstream, 'id'>, caller: Caller, wanted: ClientCapabilities): Error {
  return refusal(id, caller, Object.keys(wanted), { requiredCapabilities: wanted });
}

function refusal(id: string, caller: Caller, missing: readonly string[], data: unknown): Error {
  const what = missing.join(', ') || 'something';
  const message = `The server "${id}" has to ask its client for this (${what}), and your client did not declare that it can be asked: use a client that supports ${what}.`;
  return caller.era === 'modern'
    ? new RpcError(missingClientCapability, message, data)
    : new LiveError('UNAVAILABLE', message);
}
