export class AuthorizationServer implements AsyncDisposable {
  static start(): Promise<AuthorizationServer>;
  readonly issuer: string;
  /** What the token endpoint was asked for, and whether it was given: "refresh_token ok". */
  tokenRequests: string[];
  /** The status with which the token endpoint answers, in place of the server. */
  tokenFault: number | undefined;
  /** What the user is sent back with, instead of a code. */
  refusal: { error: string; error_description: string } | undefined;
  /** Of access tokens, in seconds. */
  tokenLife: number;
  scopes: string[];
  /** Of access tokens: `jwt` can be verified by others. Default: `opaque`. */
  tokenFormat: 'opaque' | 'jwt';
  /** Who logs in. */
  user: string;
  /** What a token allows at a resource; undefined: it is not valid there. */
  scopesOf(token: string, resource: string): Promise<string[] | undefined>;
  /** Ends every login: neither token is good any more. */
  revokeAll(): Promise<void>;
  /** The access tokens that were given so far are not good any more; their refresh tokens are. */
  forgetAccessTokens(): void;
  [Symbol.asyncDispose](): Promise<void>;
}
