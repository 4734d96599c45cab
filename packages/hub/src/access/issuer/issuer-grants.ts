// Chooses the grant of a verified access token among those of its issuer.
import type { IssuerEntry, IssuerGrant } from '@tidings/track';
import { type TokenClaims, scopesOf } from './access-token.ts';
import { Grant } from '../grant.ts';

/** Without `grants`, a token may read everything and call nothing. */
const byDefault: IssuerGrant[] = [{}];

interface ChosenGrant {
  readonly grant: Grant;
  /** The index of the grant in the list; undefined if there is only one grant. */
  readonly index: number | undefined;
}

export class IssuerGrants {
  readonly #grants: readonly { readonly entry: IssuerGrant; readonly grant: Grant }[];
  /** The scopes that clients are told to request. */
  readonly scopes: readonly string[];

  constructor({ grants = byDefault, scopes }: IssuerEntry, hostPrefix: string | undefined) {
    this.#grants = grants.map((entry) => ({ entry, grant: grantOf(entry, hostPrefix) }));
    const all = (scopes ?? grants.flatMap(({ scope }) => scope ?? [])).flatMap((each) => each.split(' '));
    this.scopes = [...new Set(all)];
  }

  /** The first grant that applies. */
  of(claims: TokenClaims): ChosenGrant | undefined {
    const scopes = new Set(scopesOf(claims));
    const index = this.#grants.findIndex(({ entry }) => applies(entry, claims, scopes));
    const found = this.#grants[index];
    return found && { grant: found.grant, index: this.#grants.length > 1 ? index : undefined };
  }

  /** The scopes to request if no grant applies to the token; empty if it has all of them. */
  lackedBy(claims: TokenClaims): readonly string[] {
    const scopes = new Set(scopesOf(claims));
    return this.scopes.every((each) => scopes.has(each)) ? [] : this.scopes;
  }
}

function grantOf({ everything, allow, servers, tools = [], prompts = [], redact }: IssuerGrant, hostPrefix?: string) {
  return new Grant(everything ? { hostPrefix } : { allow, servers, tools, prompts, redact, hostPrefix });
}

function applies(
  { scope, claims: wanted = {} }: IssuerGrant,
  claims: TokenClaims,
  scopes: ReadonlySet<string>,
): boolean {
  return (
    (scope === undefined || scope.split(' ').every((each) => scopes.has(each))) &&
    Object.entries(wanted).every(([name, values]) => {
      const given = new Set<unknown>([claimNamed(claims, name)].flat());
      return [values].flat().some((value) => given.has(value));
    })
  );
}

/**
 * `realm_access.roles` is a claim of that name or, where there is none, `roles` in `realm_access`. Names in objects may
 * have dots as well: clients of Keycloak are often called like a host.
 */
function claimNamed(claims: object, name: string): unknown {
  const all = new Map<string, unknown>(Object.entries(claims));
  if (all.has(name)) return all.get(name);
  for (const [outer, inner] of all) {
    if (typeof inner !== 'object' || inner === null || !name.startsWith(`${outer}.`)) continue;
    const found = claimNamed(inner, name.slice(outer.length + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}
