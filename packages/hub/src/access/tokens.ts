// Who a request comes from: the bearer of a token, or a browser that showed one once and has a cookie since.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TokenEntry } from '@tidings/track';
import { type Principal, Scope } from './scope.ts';

interface Known {
  digest: Buffer;
  /** What a browser keeps instead of the token. */
  cookie: string;
  cookieDigest: Buffer;
  principal: Principal;
}

export const cookieName = 'tidings';

export class Tokens {
  readonly #known: readonly Known[];

  /** `whole` opens everything; the entries of a configuration name variables that hold theirs. */
  constructor(
    whole: string | undefined,
    entries: readonly TokenEntry[],
    env: Readonly<Record<string, string | undefined>>,
  ) {
    const all = { subject: 'token', scope: new Scope(undefined) };
    this.#known = [
      ...(whole ? [known(whole, all)] : []),
      ...entries.flatMap((entry) => {
        const token = env[entry.env];
        return token ? [known(token, principalOf(entry))] : [];
      }),
    ];
  }

  /** Without any, everybody is let in. */
  get isEmpty(): boolean {
    return this.#known.length === 0;
  }

  principalOf({ headers }: IncomingMessage): Principal | undefined {
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

function known(token: string, principal: Principal): Known {
  const cookie = createHmac('sha256', token).update('the cookie of a browser').digest('base64url');
  return { digest: digestOfText(token), cookie, cookieDigest: digestOfText(cookie), principal };
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
