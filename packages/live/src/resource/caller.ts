// The caller of a request.

/** The same object goes to `read`, `list` and `authorize`. */
export interface Caller {
  readonly era: 'legacy' | 'modern';
  readonly transport: 'http' | 'stdio' | 'memory';
  /** What `authenticate` returned for this caller. */
  readonly auth?: Credential | undefined;
  /** Where the request came from, over HTTP. */
  readonly address?: string | undefined;
}

/** A verified credential. `subject` says whose it is; `expiresAt` (ms since the epoch) ends its streams. */
export interface Credential {
  readonly subject: string;
  readonly expiresAt?: number | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly [claim: string]: unknown;
}
