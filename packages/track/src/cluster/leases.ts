// Which node holds which lease, as far as this node knows. A lease has a name (`server:notes`) and ends unless it is
// renewed; a node that is frozen or cut off gives up its leases by its own clock before another node can take them.
// Listeners are notified that something may have changed, and read the state.
import type { Clock, Log, Timer } from '@tidings/live';
import { Rerun, every } from '@tidings/live/time';
import { digestOf } from '@tidings/live/internal';
import { callEach } from '../base/log.ts';
import { type ClusterView, type LeaseTable, type NodeRow, leaseMs } from './lease-table.ts';

export type Holder =
  /** This node. */
  | { readonly is: 'own'; readonly fence: number }
  | { readonly is: 'other'; readonly node: NodeRow; readonly detail: string | undefined }
  | { readonly is: 'none' };

interface LeasesOptions {
  table: LeaseTable;
  /** The id of this node. */
  id: string;
  clock: Clock;
  log: Log;
}

const renewMs = 1000;
/** How much earlier a lease ends here than in the database, so that two nodes never hold it at once. */
const marginMs = 250;
const noHolder: Holder = { is: 'none' };

export class Leases {
  readonly #options: LeasesOptions;
  readonly #wanted = new Set<string>();
  readonly #held = new Map<string, number>();
  /**
   * When this node took or released a lease, by its own clock; kept until a renewal that began later has read the
   * change. `Infinity` while the lease is being released.
   */
  readonly #changed = new Map<string, number>();
  /** Lease notes still to be stored. */
  readonly #details = new Map<string, string>();
  /** How often a free lease was seen that belongs to another node's share. */
  readonly #left = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  /** Separate from `#taking`: a slow attempt to take a lease must not delay the renewal of others. */
  readonly #renewing = new Rerun(() => this.#renew());
  readonly #taking = new Rerun(() => this.#takeFree());
  #view: ClusterView = { nodes: [], isAlone: true, leases: [] };
  /** Until when the leases in `#held` are certain, by this node's clock. */
  #until = Number.NEGATIVE_INFINITY;
  /** Undefined until `start`. */
  #node: NodeRow | undefined;
  #every: Timer | undefined;
  #end: Timer | undefined;
  #isFailing = false;
  #isRetired = false;
  #isClosed = false;

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** `url` is this node's address for other nodes. Resolves when it is published, or the database has not answered. */
  async start(url: string): Promise<void> {
    this.#node = { id: this.#options.id, url };
    this.#every = every(this.#options.clock, renewMs, () => void this.look());
    await this.look();
  }

  get nodes(): readonly NodeRow[] {
    return this.#view.nodes;
  }

  /** The leases of all nodes whose names begin with `prefix`. */
  named(prefix: string): ClusterView['leases'] {
    return this.#view.leases.filter(({ name }) => name.startsWith(prefix));
  }

  /** Takes the leases whenever they are free, from now on. */
  want(...names: readonly string[]): void {
    for (const name of names) this.#wanted.add(name);
    if (names.length > 0) void this.look();
  }

  /** Takes a new lease at once, even if it belongs to another node's share. Rejects if the database does not answer. */
  async takeNow(name: string): Promise<void> {
    this.#wanted.add(name);
    if (this.#node !== undefined) await this.#take(this.#node, [name]);
  }

  /** Stops taking the lease, and releases it if this node holds it. */
  async unwant(name: string): Promise<void> {
    this.#wanted.delete(name);
    this.#details.delete(name);
    if (!this.#held.delete(name)) return;
    this.#view = { ...this.#view, leases: this.#view.leases.filter((lease) => lease.name !== name) };
    await this.#release([name]);
    this.#tell();
  }

  holder(name: string): Holder {
    const fence = this.#held.get(name);
    if (fence !== undefined) return { is: 'own', fence };
    const lease = this.#view.leases.find((each) => each.name === name);
    const node = this.#view.nodes.find(({ id }) => id === lease?.node);
    // A row of this node that is missing in `#held` has expired by this node's clock.
    if (lease === undefined || node === undefined || node.id === this.#options.id) return noHolder;
    return { is: 'other', node, detail: lease.detail };
  }

  /** Publishes notes about a lease of this node for other nodes. */
  describe(name: string, detail: string): void {
    const stored = this.#view.leases.find((each) => each.name === name)?.detail;
    if (!this.#held.has(name) || (this.#details.get(name) ?? stored) === detail) return;
    this.#details.set(name, detail);
    void this.look();
  }

  /** Calls `listener` when a holder may have changed. Returns a function that stops this. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Renews this node's leases, takes free ones, and reads those of other nodes. Resolves when done. */
  readonly look = async (): Promise<void> => {
    await this.#renewing.request();
    await this.#taking.request();
  };

  /** Releases all leases and takes no new ones; holders are still read. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    const names = [...this.#held.keys()];
    this.#held.clear();
    if (names.length > 0) await this.#release(names);
    this.#tell();
  }

  /** Releases all leases, so that other nodes take over at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#every?.cancel();
    this.#end?.cancel();
    await this.look();
    this.#held.clear();
    await this.#release();
  }

  async #release(names?: readonly string[]): Promise<void> {
    if (this.#node === undefined) return;
    for (const name of names ?? []) this.#changed.set(name, Number.POSITIVE_INFINITY);
    await this.#options.table.release(this.#node, names).catch((error: unknown) => this.#failed(error));
    for (const name of names ?? []) this.#changed.set(name, this.#options.clock.now());
  }

  async #renew(): Promise<void> {
    const { table, clock } = this.#options;
    const node = this.#node;
    if (this.#isClosed || node === undefined) return;
    const requestedAt = clock.now();
    try {
      this.#see(await table.renew(node), requestedAt);
      this.#isFailing = false;
    } catch (error) {
      this.#failed(error);
    }
    this.#tell();
  }

  #see(view: ClusterView, requestedAt: number): void {
    this.#view = view;
    for (const [name, at] of this.#changed) if (at < requestedAt) this.#changed.delete(name);
    for (const name of this.#held.keys()) if (!this.#changed.has(name)) this.#held.delete(name);
    for (const { name, fence } of this.#shownAsOwn()) if (this.#isWanted(name)) this.#held.set(name, fence);
    this.#holdUntil(requestedAt + leaseMs - marginMs);
  }

  /** This node's leases in the table, without those that it took or released since they were read. */
  #shownAsOwn(): ClusterView['leases'] {
    return this.#view.leases.filter(({ name, node }) => node === this.#options.id && !this.#changed.has(name));
  }

  async #takeFree(): Promise<void> {
    const node = this.#node;
    if (this.#isClosed || this.#isFailing || node === undefined) return;
    try {
      await this.#releaseUnwanted();
      const free = this.#free();
      if (free.length > 0) {
        await this.#take(node, free);
        this.#tell();
      }
      await this.#storeDetails(node);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Releases leases that arrived after they were unwanted, or whose release failed. */
  async #releaseUnwanted(): Promise<void> {
    const names = this.#shownAsOwn().flatMap(({ name }) => (this.#isWanted(name) ? [] : [name]));
    if (names.length > 0) await this.#release(names);
  }

  async #take(node: NodeRow, names: readonly string[]): Promise<void> {
    const { table, clock } = this.#options;
    for (const [name, fence] of await table.take(node, names)) {
      if (!this.#isWanted(name)) continue;
      this.#held.set(name, fence);
      this.#changed.set(name, clock.now());
      this.#left.delete(name);
    }
    // The leases end with the node's row, which may have expired during a slow request.
    this.#holdUntil(this.#until);
  }

  async #storeDetails(node: NodeRow): Promise<void> {
    for (const name of this.#details.keys()) if (!this.#held.has(name)) this.#details.delete(name);
    const details = new Map(this.#details);
    if (details.size === 0) return;
    await this.#options.table.describe(node, details);
    for (const [name, detail] of details) if (this.#details.get(name) === detail) this.#details.delete(name);
    const leases = this.#view.leases.map((each) => {
      const detail = each.node === node.id ? details.get(each.name) : undefined;
      return detail === undefined ? each : { ...each, detail };
    });
    this.#view = { ...this.#view, leases };
  }

  /** The wanted leases that are free: those of this node's share at once, others if they stay free. */
  #free(): string[] {
    const taken = new Set(this.#view.leases.map(({ name }) => name));
    for (const name of this.#left.keys()) if (taken.has(name)) this.#left.delete(name);
    return [...this.#wanted].filter((name) => {
      const isOwn = this.#held.has(name) || this.#changed.get(name) === Number.POSITIVE_INFINITY;
      if (taken.has(name) || isOwn || !this.#isWanted(name)) return false;
      const seen = this.#left.get(name) ?? 0;
      this.#left.set(name, seen + 1);
      return seen > 0 || this.#isShare(name);
    });
  }

  #isWanted(name: string): boolean {
    return this.#wanted.has(name) && !this.#isRetired && !this.#isClosed;
  }

  /**
   * Whether the lease belongs to this node's share, by rendezvous hashing: each name belongs to one live node, and a
   * node that joins or leaves changes few of them.
   */
  #isShare(name: string): boolean {
    const weight = ({ id }: NodeRow) => digestOf(`${name} ${id}`, 'hex');
    const [first] = this.#view.nodes.toSorted((a, b) => (weight(a) < weight(b) ? -1 : 1));
    return first === undefined || first.id === this.#options.id;
  }

  #holdUntil(until: number): void {
    const { clock } = this.#options;
    this.#until = until;
    this.#end?.cancel();
    const leftMs = until - clock.now();
    // Expires at once if the database's answer came too late.
    if (leftMs <= 0) this.#expire();
    else this.#end = clock.after(leftMs, () => this.#expire());
  }

  /** Gives up leases that were not renewed in time. A node that was alone keeps them: no other node can take them. */
  #expire(): void {
    if (this.#view.isAlone || this.#held.size === 0) return;
    this.#held.clear();
    this.#options.log.warn({}, 'The leases of this node ended: PostgreSQL did not answer in time.');
    this.#tell();
  }

  #failed(error: unknown): void {
    if (!this.#isFailing && !this.#isClosed)
      this.#options.log.warn({ err: error }, 'The leases could not be renewed; trying again.');
    this.#isFailing = true;
  }

  #tell(): void {
    if (!this.#isClosed) callEach(this.#listeners, this.#options.log);
  }
}
