// In a cluster, gives this node its role for each server: owner if it holds the lease, otherwise follower.
import type { Log } from '@tidings/live';
import { Rerun } from '@tidings/live/time';
import type { Cluster } from './cluster.ts';
import { type Role, isSameRole } from './role.ts';

/** The servers whose roles the keeper changes. */
export interface RoleTarget {
  ids(): Iterable<string>;
  roleOf(id: string): Role | undefined;
  /** Resolves when the role is in force, or cannot be. */
  change(id: string, role: Role): Promise<void>;
  /** The node through which a follower reaches the server has changed. */
  reroute(id: string): void;
  /** Notes for other nodes about a server that is tracked here. */
  describe(id: string): string;
}

export const leaseOf = (serverId: string) => `server:${serverId}`;

export class RoleKeeper {
  readonly #cluster: Cluster;
  readonly #target: RoleTarget;
  readonly #log: Log;
  readonly #routes = new Map<string, string | undefined>();
  readonly #changes = new Map<string, Rerun>();
  readonly #unfollow: () => void;

  constructor(cluster: Cluster, target: RoleTarget, log: Log) {
    this.#cluster = cluster;
    this.#target = target;
    this.#log = log;
    this.#unfollow = cluster.leases.follow(() => this.review());
  }

  /** The role that this node should have now. */
  roleFor(id: string): Role {
    const name = leaseOf(id);
    const holder = this.#cluster.leases.holder(name);
    if (holder.is !== 'own') return { is: 'follower' };
    return { is: 'owner', claim: { name, node: this.#cluster.id, fence: holder.fence } };
  }

  /** Call it when servers or holders of leases may have changed. */
  review(): void {
    for (const id of this.#target.ids()) {
      const change = this.#changes.get(id) ?? new Rerun(() => this.#reviewOne(id));
      this.#changes.set(id, change);
      change.request().catch((error: unknown) => {
        this.#log.error({ err: error, server: id }, 'A server could not be taken over; trying again.');
      });
    }
  }

  forget(id: string): void {
    this.#routes.delete(id);
    this.#changes.delete(id);
  }

  async close(): Promise<void> {
    this.#unfollow();
    await Promise.all([...this.#changes.values()].map((change) => change.stop()));
  }

  async #reviewOne(id: string): Promise<void> {
    const role = this.#target.roleOf(id);
    if (role === undefined) return;
    const wanted = this.roleFor(id);
    const route = this.#cluster.otherWith(leaseOf(id))?.url;
    const isRerouted = this.#routes.get(id) !== route;
    this.#routes.set(id, route);
    if (!isSameRole(role, wanted)) await this.#target.change(id, wanted);
    else if (role.is === 'follower' && isRerouted) this.#target.reroute(id);
    if (wanted.is === 'owner') this.#cluster.leases.describe(leaseOf(id), this.#target.describe(id));
  }
}
