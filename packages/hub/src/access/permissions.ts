// What one caller may see and do: its grant, applied to the servers there are. Every way into the hub asks this
// object, and nothing else decides.
import type { Resource } from '@modelcontextprotocol/client';
import { type Caller, type Clock, TimeSlice } from '@tidings/live';
import type { Catalog } from '@tidings/track';
import { type Grant, grantOf } from './grant.ts';
import { parseTemplate } from './template.ts';

export interface KnownServer {
  readonly catalog: Catalog;
  /** Whether it keeps from a caller what a redaction says. */
  readonly redacts: boolean;
}

/** Undefined where no such server is configured. */
export type FindServer = (serverId: string) => KnownServer | undefined;

/** A server may list more; these decide whether it is there for a caller. */
const mostTemplates = 500;

export class Permissions {
  readonly #grant: Grant;
  readonly #find: FindServer;
  readonly #slice: TimeSlice;
  /** Whether a catalog has something that is allowed. */
  readonly #hasAllowed = new WeakMap<Catalog, boolean>();
  readonly #allowed = new WeakMap<Catalog['resources'], Promise<readonly Resource[]>>();

  constructor(grant: Grant, find: FindServer, slice: TimeSlice) {
    this.#grant = grant;
    this.#find = find;
    this.#slice = slice;
  }

  /** The same for callers with the same grant. */
  get id(): string {
    return this.#grant.id;
  }

  /** Whether nothing is kept from this caller. */
  get isWhole(): boolean {
    return this.#grant.isWhole;
  }

  /**
   * Whether this server is there for the caller: one of its resources may be opened, or one of its tools called.
   * A server that is not there is treated like one that does not exist.
   */
  sees(serverId: string): boolean {
    if (!this.#mayReach(serverId)) return false;
    const { allow, servers } = this.#grant;
    if (allow === undefined || servers?.has(serverId) || this.#grant.namesAnyOf(serverId)) return true;
    const catalog = this.#find(serverId)?.catalog;
    return catalog !== undefined && this.#hasSomethingAllowed(catalog);
  }

  /** Whether all resources of this server may be opened. */
  seesAllOf(serverId: string): boolean {
    return this.#grant.allow === undefined && this.#mayReach(serverId);
  }

  /** Whether a resource of this server may be opened, whether or not it exists. */
  opens(serverId: string, uri: string): boolean {
    return this.#mayReach(serverId) && this.opensUri(uri);
  }

  /** The same, before it is known which server has the URI. */
  opensUri(uri: string): boolean {
    return this.#grant.allow?.opens(uri) ?? true;
  }

  /**
   * Those of a server's resources that may be opened. A list never changes, so it is gone through once, in slices:
   * there may be thousands.
   */
  async openAmong(serverId: string, resources: Catalog['resources']): Promise<readonly Resource[]> {
    if (!this.#mayReach(serverId)) return [];
    if (this.#grant.allow === undefined) return [...resources.values()];
    let allowed = this.#allowed.get(resources);
    if (allowed === undefined) this.#allowed.set(resources, (allowed = this.#allowedAmong(resources)));
    return allowed;
  }

  /** Whether everything that a template of this server stands for may be opened. */
  opensAllOf(serverId: string, template: string): boolean {
    const { allow } = this.#grant;
    if (!this.#mayReach(serverId)) return false;
    if (allow === undefined) return true;
    const parsed = parseTemplate(template);
    return parsed !== undefined && allow.covers(parsed);
  }

  /** `isReadOnly` is the server's own word for it, so it is never enough. */
  mayCall(serverId: string, tool: string, isReadOnly: boolean): boolean {
    const isSafe = this.#grant.redact === undefined || isReadOnly;
    return isSafe && this.#mayReach(serverId) && this.#grant.namesTool(serverId, tool);
  }

  mayPrompt(serverId: string, prompt: string): boolean {
    return this.#mayReach(serverId) && this.#grant.namesPrompt(serverId, prompt);
  }

  /** Whether the credential is not bound to other servers, and the server can keep to its redaction. */
  #mayReach(serverId: string): boolean {
    const { servers, redact } = this.#grant;
    if (servers?.has(serverId) === false) return false;
    return redact === undefined || this.#find(serverId)?.redacts === true;
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
  const known = new WeakMap<Grant, Permissions>();
  // One for all callers: together they must not take longer than one.
  const slice = new TimeSlice(clock);
  return (caller) => {
    const grant = grantOf(caller);
    let permissions = known.get(grant);
    if (permissions === undefined) known.set(grant, (permissions = new Permissions(grant, find, slice)));
    return permissions;
  };
}
