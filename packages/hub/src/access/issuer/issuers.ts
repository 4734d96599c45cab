// The issuers whose access tokens the hub accepts, and the principals of those tokens.
import { digestOf } from '@tidings/live/internal';
import type { Config } from '@tidings/track';
import { namedIssuer } from './access-token.ts';
import type { Principal } from '../grant.ts';
import { grantedBy } from '../granted-by.ts';
import { type AcceptedToken, Issuer, wrongAudience } from './issuer.ts';
import { issuerOfSubject } from './issuer-subject.ts';
import { IssuerKeys, type IssuerKeysDeps } from './issuer-keys.ts';

export interface IssuersOptions extends IssuerKeysDeps {
  config: Pick<Config, 'oauth' | 'redactions' | 'hostPrefix'>;
  /** The issuers before a change of the configuration. Unchanged ones keep their principals, all of them their keys. */
  before?: Issuers | undefined;
}

export class Issuers {
  readonly #all: readonly Issuer[];

  constructor({ config: { oauth, redactions = {}, hostPrefix }, before, ...deps }: IssuersOptions) {
    this.#all = (oauth?.issuers ?? []).map((entry) => {
      const used = (entry.grants ?? []).map(({ redact }) => (redact === undefined ? null : redactions[redact]));
      const terms = JSON.stringify([grantedBy(entry), hostPrefix, used]);
      const earlier = before === undefined ? undefined : before.#named(entry.issuer);
      if (earlier?.terms === terms) return earlier;
      const keys = earlier?.keys ?? new IssuerKeys(entry.issuer, deps);
      return new Issuer({ entry, hostPrefix, terms, keys, clock: deps.clock });
    });
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  get names(): string[] {
    return this.#all.map(({ name }) => name);
  }

  get audiences(): string[] {
    return this.#all.map(({ audience }) => audience);
  }

  /** The scopes that clients are told to request. */
  get scopes(): string[] {
    return [...new Set(this.#all.flatMap(({ scopes }) => scopes))];
  }

  /** The principal of a token that was verified before. Throws `TokenRefused` if it is not valid at this path. */
  known(token: string, path: string): Principal | undefined {
    // A JWT contains dots. Most of the hub's own tokens do not, which saves computing their digest.
    if (!token.includes('.')) return undefined;
    const digest = digestOf(token);
    for (const issuer of this.#all) {
      const kept = issuer.kept(digest);
      if (kept !== undefined) return principalAt(kept, path);
    }
    return undefined;
  }

  /** Whether a token, which may be forged, names one of these issuers. */
  areNamedBy(token: string): boolean {
    return this.#named(namedIssuer(token)) !== undefined;
  }

  /** Rejects with `TokenRefused`, or UNAVAILABLE. Undefined if the token names none of these issuers. */
  async verified(token: string, path: string): Promise<Principal | undefined> {
    const accepted = await this.#named(namedIssuer(token))?.verified(token, digestOf(token));
    return accepted && principalAt(accepted, path);
  }

  /** Loads old keys again, so that the withdrawal of one is noticed also while no token arrives. */
  refresh(): void {
    for (const { keys } of this.#all) keys.latest();
  }

  admits(principal: Principal): boolean {
    return this.#all.some((issuer) => issuer.admits(principal));
  }

  /** Whether it is the subject of a token of one of these issuers. */
  hasSubject(subject: string): boolean {
    return this.#named(issuerOfSubject(subject)) !== undefined;
  }

  #named(name: string | undefined): Issuer | undefined {
    return this.#all.find((issuer) => issuer.name === name);
  }
}

function principalAt({ principal, paths }: AcceptedToken, path: string): Principal {
  if (paths?.includes(path) === false) throw wrongAudience();
  return principal;
}
