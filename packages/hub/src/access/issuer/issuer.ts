// One issuer of access tokens: verifies its tokens, and keeps the principals of those that were verified.
import type { IssuerEntry } from '@tidings/track';
import type { Clock } from '@tidings/live';
import { BoundedMap } from '@tidings/live/portable';
import {
  type TokenClaims,
  acceptedAlgorithms,
  invalid,
  readAccessToken,
  scopesOf,
  toleranceSeconds,
  verifiedClaims,
} from './access-token.ts';
import { endpointPath, isEndpointPath } from '../endpoint-path.ts';
import type { Principal } from '../grant.ts';
import { issuerSubject } from './issuer-subject.ts';
import { IssuerGrants } from './issuer-grants.ts';
import type { IssuerKeys, KeySet } from './issuer-keys.ts';
import { ForgedToken, TokenRefused } from './token-refused.ts';

/** How many verified tokens are kept; the one unused for longest is dropped first. */
const mostKept = 10_000;

/** A verified token. */
export interface AcceptedToken {
  readonly principal: Principal;
  /** The paths at which it is accepted if its audience is certain servers; undefined: all paths. */
  readonly paths: readonly string[] | undefined;
}

interface Accepted extends AcceptedToken {
  readonly keyId: string | undefined;
  readonly keyText: string;
  /** The latest key set that was found to contain the token's key. */
  confirmedBy: KeySet;
}

interface IssuerOptions {
  entry: IssuerEntry;
  hostPrefix: string | undefined;
  /** The configuration that determines the grants, as text; principals are kept while it is the same. */
  terms: string;
  keys: IssuerKeys;
  clock: Clock;
}

export class Issuer {
  readonly name: string;
  readonly terms: string;
  readonly keys: IssuerKeys;
  readonly audience: string;
  readonly #grants: IssuerGrants;
  readonly #clock: Clock;
  /** Verified tokens by their digest; the most recently used is the last. */
  readonly #kept = new BoundedMap<string, Accepted>(mostKept);
  readonly #accepted = new WeakMap<Principal, Accepted>();

  constructor({ entry, hostPrefix, terms, keys, clock }: IssuerOptions) {
    this.name = entry.issuer;
    this.terms = terms;
    this.keys = keys;
    this.audience = entry.audience;
    this.#grants = new IssuerGrants(entry, hostPrefix);
    this.#clock = clock;
  }

  /** The scopes that clients are told to request. */
  get scopes(): readonly string[] {
    return this.#grants.scopes;
  }

  /** The verified token of this digest, if it is still acceptable. */
  kept(digest: string): AcceptedToken | undefined {
    const accepted = this.#kept.get(digest);
    if (accepted === undefined) return undefined;
    this.#kept.delete(digest);
    if (!this.#isCurrent(accepted)) return undefined;
    this.#kept.set(digest, accepted);
    return accepted;
  }

  /** Throws `TokenRefused`, or UNAVAILABLE. */
  async verified(token: string, digest: string): Promise<AcceptedToken> {
    const { header, claims: unverified } = readAccessToken(token, this.#clock);
    const paths = this.#pathsFor(unverified);
    const keys = await this.keys.with(header.kid);
    const claims = await this.#signed(token, keys);
    const { kid: keyId } = header;
    const keyText = keys.textOf(keyId);
    const accepted = { principal: this.#principalOf(claims), paths, keyId, keyText, confirmedBy: keys };
    this.#accepted.set(accepted.principal, accepted);
    this.#kept.set(digest, accepted);
    return accepted;
  }

  /** Whether the token of an admitted principal would be accepted again, on the same terms. */
  admits(principal: Principal): boolean {
    const accepted = this.#accepted.get(principal);
    return accepted !== undefined && this.#isCurrent(accepted);
  }

  /** False once it has expired or the issuer has withdrawn its key. */
  #isCurrent(accepted: Accepted): boolean {
    const { principal, keyId, keyText, confirmedBy } = accepted;
    const keys = this.keys.latest();
    if (keys === undefined || (principal.expiresAt ?? 0) <= this.#clock.date()) return false;
    if (keys === confirmedBy) return true;
    if (keys.textOf(keyId) !== keyText) return false;
    accepted.confirmedBy = keys;
    return true;
  }

  /** With the configured audience `https://hub/mcp`, a token for `https://hub/mcp/notes` is accepted at `/mcp/notes` only. */
  #pathsFor({ aud }: TokenClaims): string[] | undefined {
    if (aud.includes(this.audience)) return undefined;
    const below = `${this.audience}/`;
    const ids = aud.filter((each) => each.startsWith(below)).map((each) => each.slice(below.length));
    const paths = ids.map(endpointPath).filter(isEndpointPath);
    if (paths.length === 0) throw wrongAudience();
    return paths;
  }

  async #signed(token: string, { find }: KeySet): Promise<TokenClaims> {
    const { errors, jwtVerify } = await import('jose');
    const verifying = jwtVerify(token, find, {
      algorithms: [...acceptedAlgorithms],
      issuer: this.name,
      currentDate: new Date(this.#clock.date()),
      clockTolerance: toleranceSeconds,
    });
    const { payload } = await verifying.catch((error: unknown) => {
      if (error instanceof errors.JWSSignatureVerificationFailed) throw new ForgedToken(this.name);
      if (error instanceof errors.JWKSNoMatchingKey) throw invalid(`${this.name} has no such key.`);
      if (error instanceof errors.JWKSMultipleMatchingKeys) throw invalid('Its header must name its key ("kid").');
      // The reason may be a key that the library does not accept, such as one that is too short.
      throw invalid('It cannot be verified with the key of the issuer.');
    });
    return verifiedClaims(payload);
  }

  #principalOf(claims: TokenClaims): Principal {
    const chosen = this.#grants.of(claims);
    if (chosen === undefined) throw this.#notGranted(claims);
    return {
      subject: issuerSubject(this.name, claims.sub, chosen.index),
      user: issuerSubject(this.name, claims.sub, undefined),
      grant: chosen.grant,
      scopes: scopesOf(claims),
      expiresAt: Math.floor(claims.exp * 1000),
    };
  }

  #notGranted(claims: TokenClaims): TokenRefused {
    const subject = issuerSubject(this.name, claims.sub, undefined);
    const scopes = this.#grants.lackedBy(claims);
    if (scopes.length === 0) {
      const message = 'This access token is valid, but grants nothing here: ask the administrator of the hub.';
      return new TokenRefused('not_granted', message, { subject });
    }
    const message = `This access token has too few scopes: ask for ${scopes.join(' ')}.`;
    return new TokenRefused('insufficient_scope', message, { scopes, subject });
  }
}

export function wrongAudience(): TokenRefused {
  return invalid('It is for another audience.');
}
