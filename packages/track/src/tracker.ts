// The tracker: every configured server, one journal, one event stream. Composes the parts.
import { randomBytes } from 'node:crypto';
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { LiveError, stderrLog, systemClock } from '@tidings/live';
import type { Cluster, OtherNode } from './cluster/cluster.ts';
import { configChange } from './config/config-change.ts';
import type { Config } from './config/config.ts';
import { EraMemory } from './connection/open/era-memory.ts';
import { Watchdog } from './connection/process/watchdog.ts';
import { Logins } from './login/logins.ts';
import { loginStore } from './login/login-store-at.ts';
import type { LoginStore } from './login/login-store.ts';
import type { Agreement } from './definition/known-definitions.ts';
import type { Remembered } from './journal/remembered.ts';
import { Journal } from './journal/journal.ts';
import { SharedEvents } from './journal/shared-events.ts';
import { callEach } from './base/log.ts';
import { Snapshots } from './mirror/snapshots.ts';
import { Versions } from './mirror/versions.ts';
import type { ServerStatus } from '@tidings/client/contract';
import { leaseOf } from './cluster/role-keeper.ts';
import { ServerMemories } from './upstream/memory/server-memories.ts';
import { TrackedServers } from './upstream/tracked-servers.ts';
import { type TrackerSettings, versionBounds } from './options/settings.ts';
import { type Storage, closeStores } from './journal/storage.ts';
import { EventStreamHandler } from './stream/event-stream-handler.ts';
import { Telemetry } from './base/telemetry.ts';
import type { TrackerOptions } from './options/tracker-options.ts';
import { UpstreamFactory } from './upstream/upstream-factory.ts';
import type { UserServers } from './upstream/user-servers.ts';
import { Users } from './upstream/users.ts';
import type { Upstream } from './upstream/upstream.ts';

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
  readonly #settings: TrackerSettings;
  readonly #versions: Versions;
  readonly #storage: Storage | undefined;
  readonly #users: Users;
  readonly #shared: SharedEvents | undefined;
  readonly #watchdog = new Watchdog();
  readonly #logins: Logins;
  readonly #servers: TrackedServers;
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
    this.#settings = settings;
    this.#versions = new Versions(versionBounds(options.config, settings));
    this.#storage = storage;
    this.cluster = cluster;
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
    const loginsOf = (user: string) => new Logins({ ...loggingIn, user });
    this.#users = new Users({ factory, loginsOf, shared: this });
    this.#servers = new TrackedServers({
      factory: new UpstreamFactory(factory),
      memories: new ServerMemories(archive, remembered),
      archive,
      cluster,
      replaced: () => {
        this.#users.review();
        callEach(this.#replaced, log);
      },
      // The server may have looked for its login again while it stopped.
      stopped: () => this.#logins.keepOnly(this.#config.servers),
      log,
    });
    if (storage && cluster) {
      this.#shared = new SharedEvents(storage.store, this.journal, remembered.position, { clock, log });
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
    const change = configChange(this.#config, config);
    this.#config = config;
    this.#versions.bound(versionBounds(config, this.#settings));
    const added = this.#servers.apply(change, config.servers);
    this.#logins.keepOnly(config.servers);
    for (const upstream of added) upstream.start();
    this.#users.review();
    this.cluster?.leases.want(...added.map(({ id }) => leaseOf(id)));
  }

  /** Publishes this node's address to the other nodes; before that, it connects to no server. */
  async join(url: string): Promise<void> {
    await this.cluster?.join(url);
  }

  /** The configured servers, in the order of the configuration. */
  get upstreams(): Iterable<Upstream> {
    return this.#servers.upstreams;
  }

  /** Whether this node is the one that tracks the server. */
  owns(serverId: string): boolean {
    return this.#servers.roleOf(serverId)?.is === 'owner';
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
    return this.#servers.find(serverId);
  }

  upstream(serverId: string): Upstream {
    const found = this.find(serverId);
    if (found) return found;
    const names = this.#servers.ids().join(', ') || 'none';
    throw new LiveError('RESOURCE_NOT_FOUND', `There is no server "${serverId}". Configured: ${names}.`);
  }

  servers(): ServerStatus[] {
    return this.#servers.upstreams.map((upstream) => upstream.shownStatus());
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
    await this.#servers.keepRoles();
    await Promise.all([this.#users.close(), this.#servers.stop()]);
    await this.#storage?.archive.close();
    // Last, so that the archived state is complete when the next owner compares with it.
    await this.cluster?.leave();
    await this.#shared?.close();
    this.events.close();
    this.#watchdog.close();
    this.#logins.close();
    if (this.#storage) await closeStores(this.#storage.store, this.#storage.definitions);
  }
}
