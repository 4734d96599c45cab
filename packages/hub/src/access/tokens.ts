// The tokens that are in force, and who the bearer of each is. A browser that logged in has a session signed with
// its token instead.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config, TokenEntry } from '@tidings/track';
import { type BrowserSession, parsedSession, sessionKey, signed } from './browser-session.ts';
import { Grant, type Principal } from './grant.ts';

interface Known {
  /** Everything that decides what it opens. */
  terms: string;
  digest: Buffer;
  /** What browser sessions are signed with. */
  sessionKey: Buffer;
  principal: Principal;
}

const everybody: Principal = { subject: 'everybody', grant: new Grant() };

export interface TokensOptions {
  /** A token that opens everything. */
  whole?: string | undefined;
  /** Entries name variables that hold theirs. */
  config: Pick<Config, 'tokens' | 'redactions'>;
  env: Readonly<Record<string, string | undefined>>;
  /** Those that held so far: a token that is the same as before keeps its principal. */
  before?: Tokens | undefined;
}

export class Tokens {
  readonly #known: readonly Known[];

  constructor({ whole, config: { tokens, redactions = {} }, env, before }: TokensOptions) {
    const all = { subject: 'token', grant: new Grant() };
    const given = [
      ...(whole ? [known(whole, all, '')] : []),
      ...tokens.flatMap((entry) => {
        const token = env[entry.env];
        // How much it may use can change without ending what it uses.
        const { limits: _limits, ...granted } = entry;
        const terms = JSON.stringify([granted, entry.redact === undefined ? null : redactions[entry.redact]]);
        return token ? [known(token, principalOf(entry), terms)] : [];
      }),
    ];
    const earlier = before === undefined ? [] : before.#known;
    this.#known = given.map((each) => earlier.find((other) => isSame(each, other)) ?? each);
  }

  /** Whether one that was let in would be let in again, to see the same. */
  admits(principal: Principal): boolean {
    return this.#known.length === 0
      ? principal === everybody
      : this.#known.some((each) => each.principal === principal);
  }

  /** Whether there still is a token of this name, whatever it opens. */
  hasSubject(subject: string | undefined): boolean {
    return this.#known.length === 0
      ? subject === everybody.subject
      : this.#known.some(({ principal }) => principal.subject === subject);
  }

  /** All who may be let in. */
  get subjects(): string[] {
    const { anonymous } = this;
    return anonymous ? [anonymous.subject] : this.#known.map(({ principal }) => principal.subject);
  }

  /** Whom a request without credentials comes from: without any token, everybody is let in. */
  get anonymous(): Principal | undefined {
    return this.#known.length === 0 ? everybody : undefined;
  }

  bearerOf(token: string): Principal | undefined {
    return this.#find(token)?.principal;
  }

  /** What the browser that showed this token is given. */
  sessionFor(token: string, session: BrowserSession): string | undefined {
    const found = this.#find(token);
    return found && signed(session, found.sessionKey);
  }

  /** Whose session this is, if it was signed with a token that is in force. When it ends is for others to check. */
  ofSession(value: string): { principal: Principal; session: BrowserSession } | undefined {
    const session = parsedSession(value);
    const owner = session && this.#known.find(({ sessionKey }) => session.isSigned(sessionKey));
    return owner && { principal: owner.principal, session: { id: session.id, expiresAt: session.expiresAt } };
  }

  /** Looks at all of them, each in the same time. */
  #find(given: string): Known | undefined {
    const digest = digestOfText(given);
    let found: Known | undefined;
    for (const each of this.#known) if (timingSafeEqual(each.digest, digest)) found = each;
    return found;
  }
}

function isSame(one: Known, other: Known): boolean {
  return one.terms === other.terms && one.digest.equals(other.digest);
}

function known(token: string, principal: Principal, terms: string): Known {
  return { terms, digest: digestOfText(token), sessionKey: sessionKey(token), principal };
}

function principalOf({ env, ...terms }: TokenEntry): Principal {
  return { subject: env, grant: new Grant(terms) };
}

/** Digests have one length, so comparing them says nothing about the token's. */
function digestOfText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
