// Which server a URI belongs to, for one caller. The servers that the caller sees are asked in the order of the
// configuration, and the first that serves the URI owns it: one that lists it, or has a template for it. So a
// server that is configured later can never take over what an earlier one serves, whatever it lists.
//
// Where none serves it, the first server with a resource or template of the same scheme owns it: it may know
// resources that it does not list. That is decided last, over all servers: otherwise a server with a single
// `file:` resource would take the files of all servers after it.
import { LiveError } from '@tidings/live';
import type { Catalog, Upstream } from '@tidings/track';
import type { Permissions } from '../access/permissions.ts';
import { schemeOf } from '../access/template.ts';
import { type Address, parseAddress } from './address.ts';
import { Claims } from './claims.ts';

export interface Owned extends Address {
  upstream: Upstream;
}

export class Ownership {
  readonly #upstreams: () => Iterable<Upstream>;
  readonly #claims = new WeakMap<Catalog, Claims>();

  constructor(upstreams: () => Iterable<Upstream>) {
    this.#upstreams = upstreams;
  }

  /** Throws where no server visible to the caller has it. */
  ownerOf(asked: string, permissions: Permissions): Owned {
    const address = parseAddress(asked);
    const upstream = address
      ? this.#named(address.serverId, asked, permissions)
      : (this.#first(permissions, (each) => this.#serves(each, asked)) ??
        this.#first(permissions, (each) => this.#claimsOf(each).hasScheme(schemeOf(asked))));
    if (upstream === undefined) throw ownedByNone(asked);
    // Agents are shown a percent-encoded form; the server may use another spelling.
    return { serverId: upstream.id, uri: upstream.spelling(address?.uri ?? asked), upstream };
  }

  /** Undefined where no server visible to the caller has it. */
  find(asked: string, permissions: Permissions): Owned | undefined {
    try {
      return this.ownerOf(asked, permissions);
    } catch {
      return undefined;
    }
  }

  /** Whether the plain URI belongs to this server. */
  isOwner(upstream: Upstream, uri: string, permissions: Permissions): boolean {
    return this.#first(permissions, (each) => this.#serves(each, uri)) === upstream;
  }

  /** The server that has a template, unless an earlier one owns everything that it matches. */
  ownerOfTemplate(text: string, permissions: Permissions): Upstream | undefined {
    const owner = this.#first(permissions, (each) => {
      const claims = this.#claimsOf(each);
      return claims.hasTemplate(text) || claims.servesAllOf(text);
    });
    return owner && this.#claimsOf(owner).hasTemplate(text) ? owner : undefined;
  }

  #named(id: string, asked: string, permissions: Permissions): Upstream {
    for (const upstream of this.#visible(permissions)) if (upstream.id === id) return upstream;
    // Without listing the others: the caller may not see them all.
    const message = `There is no server "${id}" here: list the resources, or the hub's servers, to see what there is.`;
    throw new LiveError('RESOURCE_NOT_FOUND', message, asked);
  }

  /** Also under the spelling that agents are shown. */
  #serves(upstream: Upstream, uri: string): boolean {
    const claims = this.#claimsOf(upstream);
    return claims.serves(uri) || claims.serves(upstream.spelling(uri));
  }

  #first(permissions: Permissions, is: (upstream: Upstream) => boolean): Upstream | undefined {
    for (const upstream of this.#visible(permissions)) if (is(upstream)) return upstream;
    return undefined;
  }

  *#visible(permissions: Permissions): Generator<Upstream> {
    for (const upstream of this.#upstreams()) if (permissions.sees(upstream.id)) yield upstream;
  }

  /** A catalog is immutable: a changed list is another catalog. */
  #claimsOf({ catalog }: Upstream): Claims {
    let claims = this.#claims.get(catalog);
    if (claims === undefined) this.#claims.set(catalog, (claims = new Claims(catalog)));
    return claims;
  }
}

function ownedByNone(uri: string): LiveError {
  if (schemeOf(uri) === '') {
    return new LiveError('INVALID_URI', 'A resource URI starts with a scheme, as in "notes://today".', uri);
  }
  return new LiveError('INVALID_URI', `None of the servers here has "${schemeOf(uri)}" resources.`, uri);
}
