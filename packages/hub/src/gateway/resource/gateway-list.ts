// The resources of all servers as one list, for one caller. Building it finds the owner of each resource, so it is
// built once, in time slices, and kept until a list changes.
import type { Resource } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { TimeSlice } from '@tidings/live/time';
import type { Catalog } from '@tidings/track/internal';
import type { Permissions } from '../../access/permissions.ts';
import { addressOf } from '../owner/address.ts';

interface ListedServer {
  readonly upstream: { readonly id: string; readonly catalog: Catalog };
  readonly resources: Catalog['resources'];
}

interface GatewayListDeps<Server extends ListedServer> {
  /** Whether the plain URI belongs to this server. */
  isOwner(this: void, server: Server, uri: string, permissions: Permissions): boolean;
  clock: Clock;
}

interface CachedList {
  /** The inputs of the list, to check whether it is current. */
  readonly sources: readonly unknown[];
  readonly list: Promise<readonly Resource[]>;
}

export class GatewayList<Server extends ListedServer> {
  readonly #deps: GatewayListDeps<Server>;
  /** Shared by all lists: together they must not block longer than one. */
  readonly #slice: TimeSlice;
  readonly #kept = new WeakMap<Permissions, CachedList>();

  constructor(deps: GatewayListDeps<Server>) {
    this.#deps = deps;
    this.#slice = new TimeSlice(deps.clock);
  }

  of(permissions: Permissions, servers: readonly Server[]): Promise<readonly Resource[]> {
    const sources = servers.flatMap(({ upstream, resources }) => [upstream, upstream.catalog, resources]);
    const kept = this.#kept.get(permissions);
    const isSame = kept?.sources.length === sources.length && sources.every((each, n) => each === kept.sources[n]);
    if (kept !== undefined && isSame) return kept.list;
    const list = this.#make(permissions, servers);
    this.#kept.set(permissions, { sources, list });
    return list;
  }

  async #make(permissions: Permissions, servers: readonly Server[]): Promise<readonly Resource[]> {
    const { isOwner } = this.#deps;
    const found: Resource[] = [];
    for (const server of servers) {
      const serverId = server.upstream.id;
      for (const resource of await permissions.openAmong(serverId, server.resources)) {
        const pause = this.#slice.pause();
        if (pause) await pause;
        const { uri } = resource;
        found.push(isOwner(server, uri, permissions) ? resource : { ...resource, uri: addressOf({ serverId, uri }) });
      }
    }
    return found;
  }
}
