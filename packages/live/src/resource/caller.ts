// The caller of a request.

/** `read`, `list` and `authorize` get the same object. */
export interface Caller {
  readonly era: 'legacy' | 'modern';
  readonly transport: 'http' | 'stdio' | 'memory';
  /** The result of `authenticate` for this request. */
  readonly auth?: Credential | undefined;
  /** The address that an HTTP request came from. */
  readonly address?: string | undefined;
}

/** A verified credential. `subject` is its owner; the caller's streams end at `expiresAt` (ms since the epoch). */
export interface Credential {
  readonly subject: string;
  readonly expiresAt?: number | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly [claim: string]: unknown;
}
