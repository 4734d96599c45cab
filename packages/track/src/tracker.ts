// The tracker: every configured server, one journal, one event stream. Composes the parts.
import { randomBytes } from 'node:crypto';
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { LiveError, stderrLog, systemClock } from '@tidings/live';
import type { Cluster, OtherNode } from './cluster/cluster.ts';
import type { Role } from './cluster/role.ts';
import { configChange } from './config/config-change.ts';
import type { Config, ServerEntry } from './config/config.ts';
import { EraMemory } from './connection/era-memory.ts';
import { Watchdog } from './connection/process/watchdog.ts';
import { Logins } from './login/logins.ts';
import { loginStore } from './login/login-store-at.ts';
import type { LoginStore } from './login/login-store.ts';
import type { Agreement } from './definition/known-definitions.ts';
import type { Remembered } from './journal/remembered.ts';
import { Journal } from './journal/journal.ts';
import { SharedEvents } from './journal/shared-events.ts';
import { type TrackerLog, callEach } from './base/log.ts';
import { Snapshots } from './mirror/snapshots.ts';
import { Versions } from './mirror/versions.ts';
import type { ServerStatus } from '@tidings/client/contract';
import { type RoleTarget, RoleKeeper, leaseOf } from './cluster/role-keeper.ts';
import { ServerMemories } from './upstream/server-memories.ts';
import { followerMemory } from './upstream/server-memory.ts';
import { type TrackerSettings, versionBounds } from './options/settings.ts';
import { type Storage, closeStores } from './journal/storage.ts';
import { EventStreamHandler } from './stream/event-stream-handler.ts';
import { Telemetry } from './base/telemetry.ts';
import type { TrackerOptions } from './options/tracker-options.ts';
import { UpstreamFactory } from './upstream/upstream-factory.ts';
import type { UserServers } from './upstream/user-servers.ts';
import { Users } from './upstream/users.ts';
import type { Upstream } from './upstream/upstream.ts';

/** How long clients see the lists of a server's last session while this node takes the server over. */
const takeoverMs = 3000;

interface TrackedServer {
  readonly role: Role;
  readonly upstream: Upstream;
  /** The object that is about to replace this one. */
  next?: TrackedServer;
}

/**
 * Follows servers and reports every change. Created by `openTracker`.
 *
 * @example
 * for (const { id, state } of tracker.servers()) console.log(id, state);
 */
export class Tracker {
  readonly journal: Journal;
  readonly events: EventStreamHandler;
  readonly telemetry = new Telemetry();
  /** The other nodes on the same database; undefined without a cluster. */
  readonly cluster: Cluster | undefined;
  /** Where logins at servers are stored. */
  readonly loginStore: LoginStore;
  readonly #log: TrackerLog;
  readonly #settings: TrackerSettings;
  readonly #versions: Versions;
  readonly #storage: Storage | undefined;
  readonly #upstreamFactory: UpstreamFactory;
  readonly #users: Users;
  readonly #roles: RoleKeeper | undefined;
  readonly #shared: SharedEvents | undefined;
  readonly #watchdog = new Watchdog();
  readonly #logins: Logins;
  readonly #memories: ServerMemories;
  #servers = new Map<string, TrackedServer>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #replaced = new Set<() => void>();
  #config: Config;

  constructor(
    options: TrackerOptions,
    settings: TrackerSettings,
    remembered: Remembered,
    storage: Storage | undefined,
  ) {
    const { clock = systemClock, log = stderrLog } = options;
    const { archive, cluster } = storage ?? {};
    this.#log = log;
    this.#settings = settings;
    this.#versions = new Versions(versionBounds(options.config, settings));
    this.#storage = storage;
    this.cluster = cluster;
    this.#memories = new ServerMemories(archive, remembered);
    this.journal = new Journal({
      clock,
      limits: settings.journal,
      life: randomBytes(6).toString('hex'),
      isShared: cluster !== undefined,
      earlier: remembered.events,
      log,
    });
    const { heartbeatMs, maxReaders } = settings;
    this.events = new EventStreamHandler({ journal: this.journal, clock, heartbeatMs, maxReaders });
    this.loginStore = options.logins ?? loginStore(options.place, clock);
    const loggingIn = { store: this.loginStore, fetch: options.fetch ?? fetch, clock };
    this.#logins = new Logins(loggingIn);
    const factory = {
      options,
      settings,
      log,
      telemetry: this.telemetry,
      snapshots: new Snapshots(settings.mirrorBytes),
      versions: this.#versions,
      eras: new EraMemory(clock, remembered.eras, (address, era) => archive?.era(address, era)),
      watchdog: this.#watchdog,
      logins: this.#logins,
      journal: this.journal,
      archive,
      cluster,
    };
    this.#upstreamFactory = new UpstreamFactory(factory);
    const loginsOf = (user: string) => new Logins({ ...loggingIn, user });
    this.#users = new Users({ factory, loginsOf, shared: this });
    if (storage && cluster) {
      this.#shared = new SharedEvents(storage.store, this.journal, remembered.position, { clock, log });
      this.#roles = new RoleKeeper(cluster, this.#roleTarget(), log);
      this.telemetry.registry.setDefaultLabels({ node: cluster.id });
    }
    this.#config = { servers: [], tokens: [] };
    this.apply(options.config);
  }

  get config(): Config {
    return this.#config;
  }

  /** Applies another configuration; unchanged servers are not touched. */
  apply(config: Config): void {
    const { added, removed, moved, adjusted } = configChange(this.#config, config);
    this.#config = config;
    this.#versions.bound(versionBounds(config, this.#settings));
    for (const { id } of removed) this.#remove(id);
    for (const entry of moved) this.find(entry.id)?.adjust(entry, true);
    for (const entry of adjusted) this.find(entry.id)?.adjust(entry, false);
    const fresh = new Map(added.map((entry) => [entry.id, this.#begin(entry)]));
    // In the order of the configuration: a URI of two servers belongs to the first.
    this.#servers = new Map(
      config.servers.flatMap(({ id }) => {
        const server = fresh.get(id) ?? this.#servers.get(id);
        return server ? [[id, server]] : [];
      }),
    );
    this.#logins.keepOnly(config.servers);
    for (const { upstream } of fresh.values()) upstream.start();
    this.#users.review();
    this.cluster?.leases.want(...[...fresh.keys()].map(leaseOf));
  }

  /** Publishes this node's address to the other nodes; before that, it connects to no server. */
  async join(url: string): Promise<void> {
    await this.cluster?.join(url);
  }

  /** The configured servers, in the order of the configuration. */
  get upstreams(): Iterable<Upstream> {
    return [...this.#servers.values()].map(({ upstream }) => upstream);
  }

  /** Whether this node is the one that tracks the server. */
  owns(serverId: string): boolean {
    return this.#servers.get(serverId)?.role.is === 'owner';
  }

  /** The node that tracks the server, if it is another one. */
  otherWith(serverId: string): OtherNode | undefined {
    return this.cluster?.otherWith(leaseOf(serverId));
  }

  /** Calls `listener` when a server's `Upstream` was replaced, because another node took the server over. */
  onReplaced(listener: () => void): () => void {
    this.#replaced.add(listener);
    return () => this.#replaced.delete(listener);
  }

  /** The servers as this user sees them; `replaced` is called when an `Upstream` of the user was replaced. */
  serversOf(user: string, replaced: () => void): UserServers {
    return this.#users.open(user, replaced);
  }

  find(serverId: string): Upstream | undefined {
    return this.#servers.get(serverId)?.upstream;
  }

  upstream(serverId: string): Upstream {
    const found = this.find(serverId);
    if (found) return found;
    const names = [...this.#servers.keys()].join(', ') || 'none';
    throw new LiveError('RESOURCE_NOT_FOUND', `There is no server "${serverId}". Configured: ${names}.`);
  }

  servers(): ServerStatus[] {
    return [...this.upstreams].map((upstream) => upstream.shownStatus());
  }

  /** Starts or stops tracking a server, until its entry in the configuration says otherwise. */
  track(serverId: string, isTracked: boolean): void {
    this.upstream(serverId).track(isTracked);
  }

  /** Agrees to definitions of a pinned server that were held back. Resolves when that is stored. */
  async trust(serverId: string, agreements: readonly Agreement[]): Promise<void> {
    this.upstream(serverId).definitions.agree(agreements);
    await this.#storage?.archive.flush();
  }

  /**
   * Reads from the mirror if its content is known to be current, otherwise from the server. Also accepts a URI in the
   * spelling that agents are shown.
   */
  async read(serverId: string, uri: string): Promise<ReadResourceResult> {
    const upstream = this.upstream(serverId);
    return upstream.read(upstream.spelling(uri));
  }

  /** All metrics, for Prometheus. */
  metrics(): Promise<string> {
    this.telemetry.readers.set(this.events.readers);
    return this.telemetry.text();
  }

  /** Gives this node's servers to other nodes, and reaches them through those. Resolves when they can take over. */
  async retire(): Promise<void> {
    await this.cluster?.leases.retire();
  }

  /** Closes all servers, streams and files. */
  async close(): Promise<void> {
    await this.#roles?.close();
    await Promise.all([this.#users.close(), ...[...this.upstreams].map((upstream) => upstream.stop())]);
    await Promise.all(this.#leaving);
    await this.#storage?.archive.close();
    // Last, so that the archived state is complete when the next owner compares with it.
    await this.cluster?.leave();
    await this.#shared?.close();
    this.events.close();
    this.#watchdog.close();
    this.#logins.close();
    if (this.#storage) await closeStores(this.#storage.store, this.#storage.definitions);
  }

  /** In a cluster every server begins as a follower; the node that gets its lease then loads the archived state. */
  #begin(entry: ServerEntry): TrackedServer {
    const role: Role = this.#roles ? { is: 'follower' } : { is: 'owner', claim: undefined };
    return { role, upstream: this.#upstreamFactory.make(entry, role, this.#memories.initial(entry.id, role)) };
  }

  #remove(id: string): void {
    const server = this.#servers.get(id);
    if (server === undefined) return;
    const all = server.next ? [server, server.next] : [server];
    this.#roles?.forget(id);
    this.#memories.forget(
      id,
      all.map(({ role }) => role),
    );
    const stopped = Promise.all(all.map(({ upstream }) => upstream.stop()));
    // At once, not after it has stopped: a server of the same name may be added meanwhile.
    for (const { upstream } of all) upstream.forget();
    const leaving = stopped.then(async () => {
      if (this.cluster) await this.#storage?.archive.flush().catch(() => undefined);
      // Unless the server was added again meanwhile.
      if (!this.#servers.has(id)) await this.cluster?.leases.unwant(leaseOf(id));
      // It may have looked for its login again while it stopped.
      this.#logins.keepOnly(this.#config.servers);
      this.#leaving.delete(leaving);
    });
    this.#leaving.add(leaving);
  }

  #roleTarget(): RoleTarget {
    return {
      ids: () => [...this.#servers.keys()],
      roleOf: (id) => this.#servers.get(id)?.role,
      change: (id, role) => this.#change(id, role),
      reroute: (id) => this.find(id)?.reroute(),
      describe: (id) => JSON.stringify(this.find(id)?.shownStatus()),
    };
  }

  /** Replaces the `Upstream` of a server with one for another role. */
  async #change(id: string, role: Role): Promise<void> {
    const before = this.#servers.get(id);
    if (before === undefined) return;
    const memory =
      role.is === 'owner'
        ? await this.#memories.load(id, role.claim)
        : followerMemory(before.upstream.lastKnownCatalog);
    if (this.#servers.get(id) !== before) return;
    const { entry } = before.upstream;
    const upstream = before.upstream.handOver((handover) => this.#upstreamFactory.make(entry, role, memory, handover));
    const after: TrackedServer = { role, upstream };
    before.next = after;
    // The lease has a new number: the old connection must end first, since the server may be a single process.
    const isAlreadyOwner = before.role.is === 'owner' && role.is === 'owner';
    if (!isAlreadyOwner) upstream.start();
    // Until the new `Upstream` has its lists, clients see those of the old one, whose connection may be lost.
    const isAway = role.is === 'owner' && before.role.is !== 'owner' && before.upstream.capabilities !== undefined;
    if (isAway) await upstream.settled(takeoverMs);
    if (this.#servers.get(id) !== before) return;
    // The entry was edited meanwhile.
    if (before.upstream.entry !== entry) upstream.adjust(before.upstream.entry, true);
    this.#servers.set(id, after);
    upstream.succeed(before.upstream);
    const stopped = before.upstream.stop();
    if (isAlreadyOwner) upstream.start(stopped);
    this.#users.review();
    callEach(this.#replaced, this.#log);
    await stopped;
    before.upstream.discard();
    this.#log.info?.({ server: id, role: role.is }, 'This node has another role for a server.');
  }
}
