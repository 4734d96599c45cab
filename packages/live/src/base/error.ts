// The errors that clients see. Any other error is a programming error: it is logged, and the client gets INTERNAL
// without its text.

/**
 * The stable codes, each with its HTTP status and its JSON-RPC code. The JSON-RPC codes are outside -32768…-32000,
 * which JSON-RPC reserves (2026-07-28 assigns -32000…-32099 to the protocol).
 */
export const errorCodes = {
  RESOURCE_NOT_FOUND: { http: 404, rpc: -32602 },
  INVALID_URI: { http: 400, rpc: -32602 },
  INVALID_PARAMS: { http: 400, rpc: -32602 },
  PERMISSION_DENIED: { http: 403, rpc: -31010 },
  UNAVAILABLE: { http: 503, rpc: -31011 },
  DATABASE_ERROR: { http: 503, rpc: -31012 },
  LIMIT_EXCEEDED: { http: 429, rpc: -31013 },
  RESPONSE_TOO_LARGE: { http: 413, rpc: -31014 },
  INTERNAL: { http: 500, rpc: -32603 },
} as const;

/** The stable codes of errors; docs/errors.md has them all. */
export type ErrorCode = keyof typeof errorCodes;

/**
 * An error whose message is written for the client and says what to do.
 *
 * @example
 * throw new LiveError('PERMISSION_DENIED', 'Only the owner may read this.');
 */
export class LiveError extends Error {
  override readonly name = 'LiveError';
  readonly code: ErrorCode;
  readonly uri: string | undefined;

  constructor(code: ErrorCode, message: string, uri?: string) {
    super(message);
    if (!Object.hasOwn(errorCodes, code)) {
      throw new TypeError(`"${code}" is not a code of a LiveError: use one of ${Object.keys(errorCodes).join(', ')}.`);
    }
    this.code = code;
    this.uri = uri;
  }
}

/**
 * A limit that was reached for now: `retryAfter` is the number of seconds until a retry makes sense.
 *
 * @example
 * throw new LimitExceeded('Too many exports at once.', 30);
 */
export class LimitExceeded extends LiveError {
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super('LIMIT_EXCEEDED', message);
    if (!Number.isFinite(retryAfter)) throw new TypeError('retryAfter of LimitExceeded is a number of seconds.');
    this.retryAfter = retryAfter;
  }
}

/**
 * Ends a `read` whose resource does not exist: `read: ({ id }) => rows.get(id) ?? notFound()`.
 *
 * @example
 * read: ({ id }) => notes.get(id) ?? notFound()
 */
export function notFound(message = 'No such resource.'): never {
  throw new LiveError('RESOURCE_NOT_FOUND', message);
}
