// The refusal of an access token, with what its `WWW-Authenticate` header says (RFC 6750).
import { LiveError } from '@tidings/live';

/** `not_granted`: no other scopes would help, so a client must not ask for some. */
export type TokenProblem = 'invalid_token' | 'insufficient_scope' | 'not_granted';

export class TokenRefused extends LiveError {
  readonly problem: TokenProblem;
  /** The scopes to ask for. */
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

/** A token with a signature that its issuer did not make: a guess, unlike one that has expired. */
export class ForgedToken extends TokenRefused {
  constructor(issuer: string) {
    super('invalid_token', `This access token was not signed by ${issuer}.`);
  }
}
