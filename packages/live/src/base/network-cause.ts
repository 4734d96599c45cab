// Why a `fetch` failed: its own error says only that it did.
import { systemCode } from '../portable/error-code.ts';

/**
 * The code of the failure, such as `ECONNREFUSED`; undefined if there is none. Messages of the network layer may quote
 * the request.
 */
export function networkCause(error: unknown): string | undefined {
  return error instanceof Error ? systemCode(error.cause) : undefined;
}
