// The permissions of one caller: its grant, applied to the current servers. Every route and method asks this object,
// and nothing else decides.
import type { Resource } from '@modelcontextprotocol/client';
import type { Caller, Clock } from '@tidings/live';
import { TimeSlice } from '@tidings/live/time';
import type { Catalog } from '@tidings/track/internal';
import { type Grant, grantOf } from './grant.ts';
import { userOf } from './user-of.ts';
import { parseTemplate } from '@tidings/client/contract';

export interface KnownServer {
  /** The server's list; until it is known, the one of its last session. */
  readonly catalog: Catalog;
  /** Whether the server applies the redaction of a caller. */
  readonly redacts: boolean;
  /** Whether only the operator may use this connection, because it has the operator's login. Default: false. */
  readonly isOperatorOnly?: boolean;
}

/** Undefined if no such server is configured. */
type FindServer = (serverId: string) => KnownServer | undefined;

/** How many templates are examined to decide whether a caller sees the server. */
const mostTemplates = 500;

export class Permissions {
  /** Whether the caller is the operator of the hub: see user-of.ts. */
  readonly isOperator: boolean;
  readonly #grant: Grant;
  readonly #find: FindServer;
  readonly #slice: TimeSlice;
  /** Whether a catalog has a resource or template that is allowed. */
  readonly #hasAllowed = new WeakMap<Catalog, boolean>();
  readonly #allowed = new WeakMap<Catalog['resources'], Promise<readonly Resource[]>>();

  constructor({ grant, isOperator }: { grant: Grant; isOperator: boolean }, find: FindServer, slice: TimeSlice) {
    this.#grant = grant;
    this.isOperator = isOperator;
    this.#find = find;
    this.#slice = slice;
  }

  /** Equal for callers with the same permissions; contains no space. */
  get id(): string {
    return this.isOperator ? this.#grant.id : `user:${this.#grant.id}`;
  }

  /** Whether this caller is unlimited. */
  get isWhole(): boolean {
    return this.#grant.isWhole;
  }

  /**
   * Whether the caller sees this server: it may read one of its resources, or call one of its tools. A hidden server is
   * treated like one that does not exist.
   */
  sees(serverId: string): boolean {
    if (!this.mayReach(serverId)) return false;
    const { allow, servers } = this.#grant;
    if (allow === undefined || servers?.has(serverId) || this.#grant.namesAnyOf(serverId)) return true;
    const catalog = this.#find(serverId)?.catalog;
    return catalog !== undefined && this.#hasSomethingAllowed(catalog);
  }

  /**
   * Whether the credential includes this server, and the server can apply its redaction. True does not mean that the
   * caller sees the server: that also depends on its list.
   */
  mayReach(serverId: string): boolean {
    const { servers, redact } = this.#grant;
    if (servers?.has(serverId) === false) return false;
    if (!this.isOperator && this.#find(serverId)?.isOperatorOnly === true) return false;
    return redact === undefined || this.#find(serverId)?.redacts === true;
  }

  /** Whether all resources of this server may be read. */
  seesAllOf(serverId: string): boolean {
    return this.#grant.allow === undefined && this.mayReach(serverId);
  }

  /** Whether a resource of this server may be read, whether or not it exists. */
  opens(serverId: string, uri: string): boolean {
    return this.mayReach(serverId) && this.opensUri(uri);
  }

  /** Whether a URI may be read, before it is known which server has it. */
  opensUri(uri: string): boolean {
    return this.#grant.allow?.opens(uri) ?? true;
  }

  /**
   * The resources of a server that may be read. A list is immutable, so it is filtered once, in time slices, because it
   * may have thousands of resources.
   */
  async openAmong(serverId: string, resources: Catalog['resources']): Promise<readonly Resource[]> {
    if (!this.mayReach(serverId)) return [];
    if (this.#grant.allow === undefined) return [...resources.values()];
    let allowed = this.#allowed.get(resources);
    if (allowed === undefined) this.#allowed.set(resources, (allowed = this.#allowedAmong(resources)));
    return allowed;
  }

  /** Whether everything that a template of this server matches may be read. */
  opensAllOf(serverId: string, template: string): boolean {
    const { allow } = this.#grant;
    if (!this.mayReach(serverId)) return false;
    if (allow === undefined) return true;
    const parsed = parseTemplate(template);
    return parsed !== undefined && allow.covers(parsed);
  }

  /** `isReadOnly` is the server's own claim, so it is never enough alone. */
  mayCall(serverId: string, tool: string, isReadOnly: boolean): boolean {
    const isSafe = this.#grant.redact === undefined || isReadOnly;
    return isSafe && this.mayReach(serverId) && this.#grant.namesTool(serverId, tool);
  }

  mayPrompt(serverId: string, prompt: string): boolean {
    return this.mayReach(serverId) && this.#grant.namesPrompt(serverId, prompt);
  }

  async #allowedAmong(resources: Catalog['resources']): Promise<readonly Resource[]> {
    const allowed: Resource[] = [];
    for (const resource of resources.values()) {
      const pause = this.#slice.pause();
      if (pause) await pause;
      if (this.opensUri(resource.uri)) allowed.push(resource);
    }
    return allowed;
  }

  #hasSomethingAllowed(catalog: Catalog): boolean {
    let hasAllowed = this.#hasAllowed.get(catalog);
    if (hasAllowed === undefined) {
      hasAllowed = this.#search(catalog);
      this.#hasAllowed.set(catalog, hasAllowed);
    }
    return hasAllowed;
  }

  #search({ resources, templates }: Catalog): boolean {
    for (const uri of resources.keys()) if (this.opensUri(uri)) return true;
    return templates.slice(0, mostTemplates).some(({ uriTemplate }) => {
      const template = parseTemplate(uriTemplate);
      return template !== undefined && this.#grant.allow?.touches(template) === true;
    });
  }
}

export type PermissionsOf = (caller: Pick<Caller, 'auth'>) => Permissions;

export function permissionsBy(find: FindServer, clock: Clock): PermissionsOf {
  const known = { operator: new WeakMap<Grant, Permissions>(), user: new WeakMap<Grant, Permissions>() };
  // One time slice for all callers: together they must not block longer than one.
  const slice = new TimeSlice(clock);
  return (caller) => {
    const grant = grantOf(caller);
    const isOperator = userOf(caller) === undefined;
    const ofKind = isOperator ? known.operator : known.user;
    let permissions = ofKind.get(grant);
    if (permissions === undefined)
      ofKind.set(grant, (permissions = new Permissions({ grant, isOperator }, find, slice)));
    return permissions;
  };
}
