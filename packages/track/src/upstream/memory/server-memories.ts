// The remembered state of all servers, depending on this node's role: the archived state, with which an owner
// continues, or the last lists, which are enough for a follower.
import type { Claim } from '../../cluster/lease-table.ts';
import type { Role } from '../../cluster/role.ts';
import type { Archive } from '../../journal/archive.ts';
import type { Remembered } from '../../journal/remembered.ts';
import { TrackedDefinitions } from '../../journal/tracked-definitions.ts';
import type { RememberedResource } from '../../mirror/resource-record.ts';
import { type ServerMemory, followerMemory, listedAmong, ownerMemory } from './server-memory.ts';

export class ServerMemories {
  readonly #archive: Archive | undefined;
  /** The resources as of the start of the tracker, by server. */
  readonly #resources: Map<string, ReadonlyMap<string, RememberedResource>>;
  readonly #definitions: TrackedDefinitions;

  constructor(archive: Archive | undefined, remembered: Pick<Remembered, 'resources' | 'definitions'>) {
    this.#archive = archive;
    this.#resources = new Map(remembered.resources);
    this.#definitions = new TrackedDefinitions(archive, remembered.definitions);
  }

  /** For a server that is added to the configuration. */
  initial(serverId: string, role: Role): ServerMemory {
    const resources = this.#resources.get(serverId) ?? new Map<string, RememberedResource>();
    if (role.is === 'follower') return followerMemory(listedAmong(resources));
    return ownerMemory(resources, this.#definitions.of({ server: serverId, claim: role.claim }));
  }

  /** For a server that this node takes over: reads the archive, in which another node may have written. */
  async load(serverId: string, claim: Claim | undefined): Promise<ServerMemory> {
    const stored = await this.#archive?.loadServer(serverId);
    const definitions = this.#definitions.of({ server: serverId, claim }, stored?.definitions.get(serverId));
    return ownerMemory(stored?.resources.get(serverId) ?? new Map<string, RememberedResource>(), definitions);
  }

  /** For a server that was removed from the configuration. `roles`: those that this node has for it. */
  forget(serverId: string, roles: Iterable<Role>): void {
    this.#resources.delete(serverId);
    for (const role of roles) if (role.is === 'owner') this.#definitions.drop({ server: serverId, claim: role.claim });
  }
}
