// The valid tokens and the principal of each. A logged-in browser uses a session that is signed with its token.
import { type Caller, LiveError } from '@tidings/live';
import { isSameSecret, secretDigest } from '@tidings/live/internal';
import type { Config, TokenEntry } from '@tidings/track';
import { anonymousSubject, sharedPrincipal, wholeSubject } from './distinct-principals.ts';
import { type BrowserSession, parsedSession, browserSessionKey, signed } from './browser-session.ts';
import { Grant, type Principal } from '../grant.ts';
import { grantedBy } from '../granted-by.ts';

interface KnownToken {
  /** The terms that decide what the token allows. */
  terms: string;
  digest: Buffer;
  /** The key with which browser sessions are signed. */
  sessionKey: Buffer;
  principal: Principal;
}

const everybody: Principal = { subject: anonymousSubject, grant: new Grant(), isOperator: true };

/** Whether this caller was admitted without a credential, so that all callers see the same. */
export function isAnonymous({ auth }: Pick<Caller, 'auth'>): boolean {
  return auth === everybody;
}

export interface TokensOptions {
  /** The unlimited token. */
  whole?: string | undefined;
  /** The configuration, whose entries name the environment variables that hold tokens. */
  config: Pick<Config, 'tokens' | 'oauth' | 'redactions' | 'hostPrefix'>;
  env: Readonly<Record<string, string | undefined>>;
  /** The previous tokens: an unchanged token keeps its principal. */
  before?: Tokens | undefined;
}

export class Tokens {
  readonly #known: readonly KnownToken[];
  /** Whether no credentials are needed. */
  readonly #isOpen: boolean;

  constructor({ whole, config: { tokens, oauth, redactions = {}, hostPrefix }, env, before }: TokensOptions) {
    const shared = sharedPrincipal({ whole, tokens, env });
    if (shared) throw new LiveError('INVALID_PARAMS', `tokens[${shared.index}]: env: ${shared.problem}`);
    const all: Principal = { subject: wholeSubject, grant: new Grant(), isOperator: true };
    const given = [
      ...(whole ? [known(whole, all, '')] : []),
      ...tokens.flatMap((entry) => {
        const token = env[entry.env];
        const terms = JSON.stringify([
          grantedBy(entry),
          hostPrefix,
          entry.redact === undefined ? null : redactions[entry.redact],
        ]);
        return token ? [known(token, principalOf(entry, hostPrefix), terms)] : [];
      }),
    ];
    const earlier = before === undefined ? [] : before.#known;
    this.#known = given.map((each) => earlier.find((other) => isSame(each, other)) ?? each);
    this.#isOpen = this.#known.length === 0 && oauth === undefined;
  }

  /** Whether an admitted principal would be admitted again on the same terms. */
  admits(principal: Principal): boolean {
    return this.#isOpen ? principal === everybody : this.#known.some((each) => each.principal === principal);
  }

  /** Whether a token of this name still exists, with any terms. */
  hasSubject(subject: string | undefined): boolean {
    return this.#isOpen
      ? subject === everybody.subject
      : this.#known.some(({ principal }) => principal.subject === subject);
  }

  get areOperators(): boolean {
    return this.#known.every(({ principal }) => principal.isOperator === true);
  }

  /** The names of all principals. */
  get subjects(): string[] {
    const { anonymous } = this;
    return anonymous ? [anonymous.subject] : this.#known.map(({ principal }) => principal.subject);
  }

  /** The principal of requests without credentials; undefined if there are tokens or issuers. */
  get anonymous(): Principal | undefined {
    return this.#isOpen ? everybody : undefined;
  }

  bearerOf(token: string): Principal | undefined {
    return this.#find(token)?.principal;
  }

  /** The signed session for a browser that logged in with this token. */
  sessionFor(token: string, session: BrowserSession): string | undefined {
    const found = this.#find(token);
    return found && signed(session, found.sessionKey);
  }

  /** The principal of a session that was signed with a valid token. The caller checks whether it has expired. */
  ofSession(value: string): { principal: Principal; session: BrowserSession } | undefined {
    const session = parsedSession(value);
    const owner = session && this.#known.find(({ sessionKey }) => session.isSigned(sessionKey));
    return owner && { principal: owner.principal, session: { id: session.id, expiresAt: session.expiresAt } };
  }

  /** Compares with all tokens, each in constant time. */
  #find(given: string): KnownToken | undefined {
    const digest = secretDigest(given);
    let found: KnownToken | undefined;
    for (const each of this.#known) if (isSameSecret(digest, each.digest)) found = each;
    return found;
  }
}

function isSame(one: KnownToken, other: KnownToken): boolean {
  return one.terms === other.terms && one.digest.equals(other.digest);
}

function known(token: string, principal: Principal, terms: string): KnownToken {
  return { terms, digest: secretDigest(token), sessionKey: browserSessionKey(token), principal };
}

function principalOf({ env, ...terms }: TokenEntry, hostPrefix: string | undefined): Principal {
  return { subject: env, grant: new Grant({ ...terms, hostPrefix }) };
}
