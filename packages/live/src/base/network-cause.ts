// Why a `fetch` failed: its own error says only that it did.

/**
 * The code of the failure, such as `ECONNREFUSED`; undefined if there is none. Messages of the network layer may quote
 * the request.
 */
export function networkCause(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
