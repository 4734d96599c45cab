export class AuthorizationServer implements AsyncDisposable {
  static start(): Promise<AuthorizationServer>;
  readonly issuer: string;
  /** The requests to the token endpoint, with their results: "refresh_token ok". */
  tokenRequests: string[];
  /** A status that the token endpoint answers instead. */
  tokenFault: number | undefined;
  /** The callback's parameters when login is refused; undefined: login succeeds. */
  refusal: { error: string; error_description: string } | undefined;
  /** The lifetime of access tokens in seconds. */
  tokenLife: number;
  scopes: string[];
  /** The format of access tokens: `jwt` can be verified by others. Default: `opaque`. */
  tokenFormat: 'opaque' | 'jwt';
  /** The account that logs in. */
  user: string;
  /** The scopes of a token at a resource; undefined if it is not valid there. */
  scopesOf(token: string, resource: string): Promise<string[] | undefined>;
  /** The account of a token; undefined if it is not valid at this resource. */
  ownerOf(token: string, resource: string): Promise<string | undefined>;
  /** Ends every login: access and refresh tokens become invalid. */
  revokeAll(): Promise<void>;
  /** Makes all issued access tokens invalid; their refresh tokens stay valid. */
  forgetAccessTokens(): void;
  [Symbol.asyncDispose](): Promise<void>;
}
