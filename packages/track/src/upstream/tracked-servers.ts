// The configured servers: each with this node's role for it, and the `Upstream` that is connected in this role.
import type { Log } from '@tidings/live';
import type { Cluster } from '../cluster/cluster.ts';
import type { Role } from '../cluster/role.ts';
import { RoleKeeper, type RoleTarget, leaseOf } from '../cluster/role-keeper.ts';
import type { ConfigChange } from '../config/config-change.ts';
import type { ServerEntry } from '../config/config.ts';
import type { Archive } from '../journal/archive.ts';
import type { ServerMemories } from './memory/server-memories.ts';
import { followerMemory } from './memory/server-memory.ts';
import type { UpstreamFactory } from './upstream-factory.ts';
import type { Upstream } from './upstream.ts';

interface TrackedServersDeps {
  factory: Pick<UpstreamFactory, 'make'>;
  memories: ServerMemories;
  archive: Pick<Archive, 'flush'> | undefined;
  cluster: Cluster | undefined;
  /** An `Upstream` was replaced by one for another role. */
  replaced(this: void): void;
  /** A removed server has stopped. */
  stopped(this: void): void;
  log: Log;
}

interface TrackedServer {
  readonly role: Role;
  readonly upstream: Upstream;
  /** The object that is about to replace this one. */
  next?: TrackedServer;
}

/** How long clients see the lists of a server's last session while this node takes the server over. */
const takeoverMs = 3000;

export class TrackedServers implements RoleTarget {
  readonly #deps: TrackedServersDeps;
  readonly #roles: RoleKeeper | undefined;
  /** In the order of the configuration: a URI of two servers belongs to the first. */
  #servers = new Map<string, TrackedServer>();
  readonly #leaving = new Set<Promise<void>>();

  constructor(deps: TrackedServersDeps) {
    this.#deps = deps;
    this.#roles = deps.cluster && new RoleKeeper(deps.cluster, this, deps.log);
  }

  get upstreams(): Upstream[] {
    return [...this.#servers.values()].map(({ upstream }) => upstream);
  }

  find(id: string): Upstream | undefined {
    return this.#servers.get(id)?.upstream;
  }

  ids(): string[] {
    return [...this.#servers.keys()];
  }

  roleOf(id: string): Role | undefined {
    return this.#servers.get(id)?.role;
  }

  reroute(id: string): void {
    this.find(id)?.restart();
  }

  describe(id: string): string {
    return JSON.stringify(this.find(id)?.shownStatus());
  }

  /** Applies an edit after which the configuration has these `entries`. Returns the servers that were added, to start. */
  apply({ added, removed, moved, adjusted }: ConfigChange, entries: readonly ServerEntry[]): Upstream[] {
    for (const { id } of removed) this.#remove(id);
    for (const entry of moved) this.find(entry.id)?.adjust(entry, true);
    for (const entry of adjusted) this.find(entry.id)?.adjust(entry, false);
    const fresh = new Map(added.map((entry) => [entry.id, this.#begin(entry)]));
    this.#servers = new Map(
      entries.flatMap(({ id }) => {
        const server = fresh.get(id) ?? this.#servers.get(id);
        return server ? [[id, server]] : [];
      }),
    );
    return [...fresh.values()].map(({ upstream }) => upstream);
  }

  /** Replaces the `Upstream` of a server with one for another role. */
  async change(id: string, role: Role): Promise<void> {
    const before = this.#servers.get(id);
    if (before === undefined) return;
    const { factory, memories, replaced, log } = this.#deps;
    const memory =
      role.is === 'owner' ? await memories.load(id, role.claim) : followerMemory(before.upstream.lastKnownCatalog);
    if (this.#servers.get(id) !== before) return;
    const { entry } = before.upstream;
    const upstream = before.upstream.handOver((handover) => factory.make(entry, role, memory, handover));
    const after: TrackedServer = { role, upstream };
    before.next = after;
    // The lease has a new number: the old connection must end first, since the server may be a single process.
    const isAlreadyOwner = before.role.is === 'owner' && role.is === 'owner';
    if (!isAlreadyOwner) upstream.start();
    // Until the new `Upstream` has its lists, clients see those of the old one, whose connection may be lost.
    const isAway = role.is === 'owner' && before.role.is !== 'owner' && before.upstream.capabilities !== undefined;
    if (isAway) await upstream.connectionAttempted(takeoverMs);
    if (this.#servers.get(id) !== before) return;
    // The entry was edited meanwhile.
    if (before.upstream.entry !== entry) upstream.adjust(before.upstream.entry, true);
    this.#servers.set(id, after);
    upstream.succeed(before.upstream);
    const stopped = before.upstream.stop();
    if (isAlreadyOwner) upstream.start(stopped);
    replaced();
    await stopped;
    before.upstream.discard();
    log.info?.({ server: id, role: role.is }, 'This node has another role for a server.');
  }

  /** From now on roles stay as they are. Resolves when no change is in progress. */
  async keepRoles(): Promise<void> {
    await this.#roles?.close();
  }

  /** Resolves when all servers have stopped, also those that were removed. */
  async stop(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.stop()));
    await Promise.all(this.#leaving);
  }

  /** In a cluster every server begins as a follower; the node that gets its lease then loads the archived state. */
  #begin(entry: ServerEntry): TrackedServer {
    const { factory, memories } = this.#deps;
    const role: Role = this.#roles ? { is: 'follower' } : { is: 'owner', claim: undefined };
    return { role, upstream: factory.make(entry, role, memories.initial(entry.id, role)) };
  }

  #remove(id: string): void {
    const server = this.#servers.get(id);
    if (server === undefined) return;
    const { memories, cluster, archive } = this.#deps;
    const all = server.next ? [server, server.next] : [server];
    this.#roles?.forget(id);
    memories.forget(
      id,
      all.map(({ role }) => role),
    );
    const stopped = Promise.all(all.map(({ upstream }) => upstream.stop()));
    // At once, not after it has stopped: a server of the same name may be added meanwhile.
    for (const { upstream } of all) upstream.forget();
    const leaving = stopped.then(async () => {
      if (cluster) await archive?.flush().catch(() => undefined);
      // Unless the server was added again meanwhile.
      if (!this.#servers.has(id)) await cluster?.leases.unwant(leaseOf(id));
      this.#deps.stopped();
      this.#leaving.delete(leaving);
    });
    this.#leaving.add(leaving);
  }
}
