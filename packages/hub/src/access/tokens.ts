// Who a request comes from: the bearer of a token, or a browser that showed one once and has a cookie since.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config, TokenEntry } from '@tidings/track';
import { type Principal, Scope } from './scope.ts';

interface Known {
  /** Everything that decides what it opens. */
  terms: string;
  digest: Buffer;
  /** What a browser keeps instead of the token. */
  cookie: string;
  cookieDigest: Buffer;
  principal: Principal;
}

export const cookieName = 'tidings';

const everybody: Principal = { subject: 'everybody', scope: new Scope(undefined) };

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
    const all = { subject: 'token', scope: new Scope(undefined) };
    const given = [
      ...(whole ? [known(whole, all, '')] : []),
      ...tokens.flatMap((entry) => {
        const token = env[entry.env];
        const terms = JSON.stringify([entry, entry.redact === undefined ? null : redactions[entry.redact]]);
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

  /** Without any token, everybody is let in. */
  principalOf({ headers }: IncomingMessage): Principal | undefined {
    if (this.#known.length === 0) return everybody;
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) return this.#find(bearer, ({ digest }) => digest)?.principal;
    const cookie = cookieOf(headers.cookie);
    return cookie === undefined ? undefined : this.#find(cookie, ({ cookieDigest }) => cookieDigest)?.principal;
  }

  /** The cookie for a browser that shows this token. */
  cookieFor(token: string): string | undefined {
    return this.#find(token, ({ digest }) => digest)?.cookie;
  }

  /** Looks at all of them, each in the same time. */
  #find(given: string, digestOf: (each: Known) => Buffer): Known | undefined {
    const digest = digestOfText(given);
    let found: Known | undefined;
    for (const each of this.#known) if (timingSafeEqual(digestOf(each), digest)) found = each;
    return found;
  }
}

function isSame(one: Known, other: Known): boolean {
  return one.terms === other.terms && one.digest.equals(other.digest);
}

function known(token: string, principal: Principal, terms: string): Known {
  const cookie = createHmac('sha256', token).update('the cookie of a browser').digest('base64url');
  return { terms, digest: digestOfText(token), cookie, cookieDigest: digestOfText(cookie), principal };
}

function principalOf({ env, allow, redact }: TokenEntry): Principal {
  return { subject: env, scope: new Scope(allow), redact };
}

/** Digests have one length, so comparing them says nothing about the token's. */
function digestOfText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function cookieOf(header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === cookieName)?.[1];
}
