// The refusal of an access token, with the contents of its `WWW-Authenticate` header (RFC 6750).
import { LiveError } from '@tidings/live';

/** `not_granted`: further scopes would not help, so a client must not request any. */
type TokenProblem = 'invalid_token' | 'insufficient_scope' | 'not_granted';

export class TokenRefused extends LiveError {
  readonly problem: TokenProblem;
  /** The scopes to request. */
  readonly scopes: readonly string[];
  /** The owner of the token, where the token is genuine. */
  readonly subject: string | undefined;

  constructor(
    problem: TokenProblem,
    message: string,
    { scopes = [], subject }: { scopes?: readonly string[]; subject?: string } = {},
  ) {
    super('PERMISSION_DENIED', message);
    this.problem = problem;
    this.scopes = scopes;
    this.subject = subject;
  }

  get status(): number {
    return this.problem === 'invalid_token' ? 401 : 403;
  }
}

/** A token whose signature is not its issuer's. It counts as a guess, unlike an expired one. */
export class ForgedToken extends TokenRefused {
  constructor(issuer: string) {
    super('invalid_token', `This access token was not signed by ${issuer}.`);
  }
}
