// Which server a URI belongs to, for one caller. The servers that the caller sees are asked in the order of the
// configuration, and the first that serves the URI owns it: one that lists it, or has a template for it. So a later
// server can never take over the URIs of an earlier one.
//
// Where none serves it, the first server with a resource or template of the same scheme owns it: it may know resources
// that it does not list. That is decided last, over all servers: otherwise a server with a single `file:` resource
// would take the files of all servers after it.
//
// While a server has not told yet what it lists, a URI without an owner may turn out to be its own.
import { LiveError } from '@tidings/live';
import { type ServerState, schemeOf } from '@tidings/client/contract';
import type { Upstream } from '@tidings/track';
import type { Catalog } from '@tidings/track/internal';
import type { Permissions } from '../../access/permissions.ts';
import { type Address, parseAddress } from './address.ts';
import { ServedUris } from './served-uris.ts';

/** The part of a server that is used here. */
type Claimant = Pick<Upstream, 'id' | 'isListKnown' | 'lastKnownCatalog' | 'spelling' | 'loginCommand'> & {
  status(): { state: ServerState };
};

export interface Owned<Server extends Claimant = Upstream> extends Address {
  upstream: Server;
}

interface OwnedTemplate<Server extends Claimant = Upstream> {
  upstream: Server;
  template: string;
}

export class Ownership<Server extends Claimant = Upstream> {
  readonly #upstreams: () => Iterable<Server>;
  readonly #served = new WeakMap<Catalog, ServedUris>();

  constructor(upstreams: () => Iterable<Server>) {
    this.#upstreams = upstreams;
  }

  /** Finds the owner. Throws if no server visible to the caller has the URI. */
  ownerOf(requestedUri: string, permissions: Permissions): Owned<Server> {
    const address = parseAddress(requestedUri);
    const upstream = address
      ? this.#named(address.serverId, requestedUri, permissions)
      : (this.#first(permissions, (each) => this.#serves(each, requestedUri)) ??
        this.#first(permissions, (each) => this.#servedBy(each).hasScheme(schemeOf(requestedUri))));
    if (upstream === undefined) throw this.#ownedByNone(requestedUri, permissions);
    // Agents are shown a percent-encoded form; the server may use another spelling.
    return { serverId: upstream.id, uri: upstream.spelling(address?.uri ?? requestedUri), upstream };
  }

  /** Finds the owner; undefined if no server visible to the caller has the URI. */
  find(requestedUri: string, permissions: Permissions): Owned<Server> | undefined {
    try {
      return this.ownerOf(requestedUri, permissions);
    } catch {
      return undefined;
    }
  }

  /** Whether a URI without an owner may belong to a server whose list has not been read yet. */
  mayFindOwner(requestedUri: string, permissions: Permissions): boolean {
    if (schemeOf(requestedUri) === '' || parseAddress(requestedUri) !== undefined) return false;
    return [...this.#upstreams()].some(({ id, isListKnown }) => !isListKnown && permissions.mayReach(id));
  }

  /** Whether the plain URI belongs to this server. */
  isOwner(upstream: Server, uri: string, permissions: Permissions): boolean {
    return this.#first(permissions, (each) => this.#serves(each, uri)) === upstream;
  }

  /** The server that a template, or a template of addresses, leads to, and the server's own template. */
  ownerOfTemplate(requestedTemplate: string, permissions: Permissions): OwnedTemplate<Server> | undefined {
    const address = parseAddress(requestedTemplate);
    const template = address?.uri ?? requestedTemplate;
    const upstream = address
      ? this.#first(permissions, ({ id }) => id === address.serverId)
      : this.#firstOfTemplate(template, permissions);
    return upstream && this.#servedBy(upstream).hasTemplate(template) ? { upstream, template } : undefined;
  }

  /**
   * Whether the URIs that a template of this server matches lead to this server; otherwise all of them lead to an
   * earlier one.
   */
  isOwnerOfTemplate(upstream: Server, template: string, permissions: Permissions): boolean {
    return this.#firstOfTemplate(template, permissions) === upstream;
  }

  #firstOfTemplate(text: string, permissions: Permissions): Server | undefined {
    return this.#first(permissions, (each) => {
      const served = this.#servedBy(each);
      return served.hasTemplate(text) || served.servesAllOf(text);
    });
  }

  #named(id: string, requestedUri: string, permissions: Permissions): Server {
    for (const upstream of this.#visible(permissions)) if (upstream.id === id) return upstream;
    // Names no other servers: the caller may not see them.
    const message = `There is no server "${id}" here: list the resources or the hub's servers.`;
    throw new LiveError('RESOURCE_NOT_FOUND', message, requestedUri);
  }

  /** Whether the server serves the URI, also in the spelling that agents are shown. */
  #serves(upstream: Server, uri: string): boolean {
    const served = this.#servedBy(upstream);
    return served.serves(uri) || served.serves(upstream.spelling(uri));
  }

  #first(permissions: Permissions, is: (upstream: Server) => boolean): Server | undefined {
    for (const upstream of this.#visible(permissions)) if (is(upstream)) return upstream;
    return undefined;
  }

  #ownedByNone(uri: string, permissions: Permissions): LiveError {
    const scheme = schemeOf(uri);
    if (scheme === '')
      return new LiveError('INVALID_URI', 'A resource URI starts with a scheme, as in "notes://today".', uri);
    if (!this.mayFindOwner(uri, permissions))
      return new LiveError('INVALID_URI', `None of the servers here has "${scheme}" resources.`, uri);
    const closed = this.#first(permissions, (each) => !each.isListKnown && each.status().state === 'needs_login');
    const advice = closed
      ? `"${closed.id}" wants a login: run "${closed.loginCommand}".`
      : 'not all are connected yet: try again later.';
    const message = `None of the servers that are connected has "${scheme}" resources, and ${advice}`;
    return new LiveError('UNAVAILABLE', message, uri);
  }

  *#visible(permissions: Permissions): Generator<Server> {
    for (const upstream of this.#upstreams()) if (permissions.sees(upstream.id)) yield upstream;
  }

  /**
   * Cached per catalog, which is immutable. For a server that is not connected yet, uses its catalog from before the
   * hub's restart, so that clients that listen again at once keep their resources.
   */
  #servedBy({ lastKnownCatalog: catalog }: Claimant): ServedUris {
    let served = this.#served.get(catalog);
    if (served === undefined) this.#served.set(catalog, (served = new ServedUris(catalog)));
    return served;
  }
}
