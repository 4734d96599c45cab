// One configured server as others see it: its state, its resources, and requests to it. The tracker and the
// gateway's clients share this one connection.
import type { Client, ReadResourceResult } from '@modelcontextprotocol/client';
import type { ListName } from '@tidings/live/internal';
import { tellEach } from '../base/log.ts';
import type { ServerEntry } from '../config/config.ts';
import { type ConnectionListener, ServerConnection } from '../connection/server-connection.ts';
import type { CallListener } from '../connection/running-calls.ts';
import type { Session } from '../connection/session.ts';
import type { ServerState } from '@tidings/client/contract';
import type { ResourceServer } from '../mirror/resource-server.ts';
import type { Snapshot } from '../mirror/snapshots.ts';
import type { Catalog } from '../subscription/catalog/catalog.ts';
import { type Watch, type Watcher, Watchers } from '../subscription/watchers.ts';
import { DefinitionLists } from './definition-lists.ts';
import { FollowedResources } from './followed-resources.ts';
import { type OwnSession, type OwnSessionOptions, OwnSessions } from './own-sessions.ts';
import { Reconciler, type ReconcilerListener } from './reconciler.ts';
import { ServerDefinitions } from './server-definitions.ts';
import type { ServerStatus } from '@tidings/client/contract';
import type { UpstreamDeps } from './upstream-deps.ts';
import { UpstreamReports } from './upstream-reports.ts';
import { UpstreamRequests } from './upstream-requests.ts';

export class Upstream implements ConnectionListener {
  readonly #deps: UpstreamDeps;
  readonly #connection: ServerConnection;
  readonly #requests: UpstreamRequests;
  readonly #own: OwnSessions;
  readonly #followed: FollowedResources;
  readonly #reconciler: Reconciler;
  readonly #watchers: Watchers;
  readonly #listListeners = new Set<() => void>();
  readonly #reports: UpstreamReports;
  readonly #lists: DefinitionLists;
  /** Its tools, prompts and instructions. */
  readonly definitions: ServerDefinitions;
  /** By list: what is missing from it, in words. */
  readonly #missing = new Map<string, string>();
  #entry: ServerEntry;

  constructor(entry: ServerEntry, deps: UpstreamDeps) {
    const { access, clock, random, settings, telemetry, snapshots, remembered, log, recorder } = deps;
    const serverId = entry.id;
    const conceal = (text: string) => access.conceal(this.#entry, text);
    this.#entry = entry;
    this.#deps = deps;
    this.#watchers = new Watchers(log);
    this.#reports = new UpstreamReports(serverId, { telemetry, log, recorder, conceal });
    this.#connection = new ServerConnection({
      open: (signal, events, hint) => access.opener(this.#entry)(signal, events, hint),
      untilBack: (signal) => access.untilBack(this.#entry, signal),
      clock,
      random,
      listener: this,
    });
    this.#own = new OwnSessions(serverId, (...args) => access.opener(this.#entry)(...args), conceal);
    const { readMs } = settings;
    this.#requests = new UpstreamRequests({ serverId, connection: this.#connection, clock, readMs, conceal });
    const server = this.#resourceServer();
    this.#followed = new FollowedResources(
      { serverId, clock, settings, telemetry, snapshots, server, recorder, watchers: this.#watchers },
      remembered,
    );
    this.#followed.isTracked = entry.trackResources;
    this.#lists = new DefinitionLists({
      clock,
      use: (work) => this.use(work),
      lacks: (list, missing) => this.#lacks(list, missing),
      due: (list) => this.definitions.changed(list),
    });
    this.definitions = new ServerDefinitions({
      serverId,
      known: deps.definitions,
      isPinned: () => this.#entry.pin === true,
      list: (list) => this.#lists.list(list),
      instructions: () => this.use(async (client) => client.getInstructions()),
      recorder,
      log,
    });
    this.#reconciler = new Reconciler({
      serverId,
      upstream: deps,
      followed: this.#followed,
      watchers: this.#watchers,
      reports: this.#reports,
      listener: this.#reconcilerListener(),
    });
  }

  get id(): string {
    return this.#entry.id;
  }

  get entry(): ServerEntry {
    return this.#entry;
  }

  get catalog(): Catalog {
    return this.#reconciler.catalog;
  }

  /** Why the last session could not be opened or was lost; a `ConnectFailure` where it could not be opened. */
  get failure(): Error | undefined {
    return this.#connection.failure;
  }

  /** How changes of a watched resource are noticed; `pending` until one of the two is in force. */
  coverage(uri: string): 'subscribed' | 'polled' | 'pending' {
    if (this.#reconciler.isSubscribed(uri)) return 'subscribed';
    return this.#reconciler.isInForce(uri) ? 'polled' : 'pending';
  }

  get isTracked(): boolean {
    return this.#followed.isTracked;
  }

  status(): ServerStatus {
    const { state, detail, since, retryAt, failures, openings, session } = this.#connection;
    const era = this.#deps.access.eraOf(this.#entry);
    return {
      id: this.id,
      description: this.#entry.description,
      state,
      detail: this.#withMissing(detail),
      since: new Date(since).toISOString(),
      retryAt: retryAt === undefined ? undefined : new Date(retryAt).toISOString(),
      era: session?.era ?? era?.era,
      eraSeen: era === undefined ? undefined : new Date(era.at).toISOString(),
      transport: 'command' in this.#entry ? 'stdio' : 'url' in this.#entry ? 'http' : 'memory',
      pid: session?.pid,
      enabled: this.#entry.enabled,
      tracked: this.isTracked,
      pinned: this.#entry.pin === true,
      held: this.definitions.heldCount,
      resources: this.catalog.resources.size,
      ...this.#reconciler.counts,
      hashed: this.#followed.hashed,
      failures,
      connects: openings,
    };
  }

  start(): void {
    if (this.#entry.enabled) this.#connection.send('enable');
  }

  /** Applies an edited entry. */
  adjust(entry: ServerEntry, isMoved: boolean): void {
    const before = this.#entry;
    this.#entry = entry;
    if (entry.trackResources !== before.trackResources) this.track(entry.trackResources);
    if (entry.pin !== before.pin) this.definitions.reviewPin();
    if (!entry.enabled || isMoved) void this.#own.close();
    if (!entry.enabled) this.#connection.send('disable', 'It is not enabled in the configuration.');
    else if (isMoved && before.enabled) this.#connection.send('restart');
    else this.#connection.send('enable');
  }

  /** Starts or stops following and journaling everything that the server lists. */
  track(isTracked: boolean): void {
    if (isTracked === this.isTracked) return;
    this.#followed.isTracked = isTracked;
    if (isTracked) this.#reconciler.resume();
    this.#reconciler.request();
  }

  /** Resolves when the server is connected and its list known, or neither for now; at the latest after this time. */
  async settled(withinMs: number): Promise<void> {
    await this.#requests.settled(withinMs);
  }

  /** Runs `work` with the shared client, once there is one. */
  async use<T>(work: (client: Client) => Promise<T>, listener?: CallListener): Promise<T> {
    return this.#requests.use(work, listener);
  }

  /** Opens a session besides the shared one, for one caller who can be asked. */
  openOwn(options: OwnSessionOptions): Promise<OwnSession> {
    return this.#own.open(options);
  }

  /** The server's URI for one that agents were shown; any other stays as it is. */
  spelling(uri: string): string {
    return this.#reconciler.spelling(uri);
  }

  read(uri: string): Promise<ReadResourceResult> {
    return this.#followed.read(uri);
  }

  snapshot(uri: string): Snapshot | undefined {
    return this.#followed.snapshot(uri);
  }

  /**
   * Calls `watcher` whenever the resource may have changed; it can then read the content by `read`. The first
   * watcher of a URI subscribes, the last to end its watch unsubscribes.
   */
  watch(uri: string, watcher: Watcher): Watch {
    const leave = this.#watchers.add(uri, watcher);
    let isEnded = false;
    const inForce = async () => {
      if (!this.#reconciler.isInForce(uri)) await this.#reconciler.requested(uri);
      if (!isEnded && !this.#reconciler.isDecided(uri)) this.#followed.owe(uri);
    };
    const end = () => {
      isEnded = true;
      leave();
      this.#reconciler.touch(uri);
    };
    return { ready: inForce(), end };
  }

  /** Calls `listener` when the list of resources has changed and the new one can be read. Returns how to stop. */
  onListChanged(listener: () => void): () => void {
    this.#listListeners.add(listener);
    return () => this.#listListeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.#followed.stop();
    this.#connection.send('stop');
    this.#requests.connectionChanged();
    await Promise.all([this.#own.close(), this.#connection.ended()]);
  }

  /** Deletes what is stored of a server that was removed from the configuration. */
  forget(): void {
    for (const uri of this.#followed.uris) this.#followed.forget(uri);
    this.#deps.recorder.dropAll();
    this.#deps.telemetry.forget(this.id);
  }

  // Events of the connection.

  opened(session: Session): void {
    this.#missing.clear();
    this.#lists.begin();
    this.#reconciler.begin(session);
    this.#requests.connectionChanged();
    this.definitions.changed();
  }

  closed(): void {
    this.#reconciler.end();
  }

  updated(uri: string): boolean {
    const concerned = this.#reconciler.concernedBy(uri);
    for (const wanted of concerned) this.#followed.updated(wanted);
    return concerned.length > 0 || this.catalog.resources.has(uri);
  }

  listChanged(list: ListName): void {
    // Reported once the new list of resources has been read.
    if (list === 'resources') this.#reconciler.listChanged();
    else this.definitions.changed(list);
  }

  gap(): void {
    this.#reconciler.doubt();
  }

  deliveryChanged(): void {
    this.#reconciler.deliveryChanged();
  }

  stateChanged(state: ServerState, detail: string): void {
    this.#reports.state(state, this.#withMissing(detail), this.#connection.failures);
    this.#requests.connectionChanged();
  }

  #lacks(list: string, missing: string): void {
    if ((this.#missing.get(list) ?? '') === missing) return;
    this.#missing.set(list, missing);
    if (missing !== '') this.#reports.error('refresh', missing, { isTracked: this.isTracked });
  }

  #withMissing(detail: string): string {
    return [detail, ...this.#missing.values()].filter((words) => words !== '').join(' ');
  }

  #resourceServer(): ResourceServer {
    return {
      read: (uri) => this.#requests.read(uri),
      isSubscribed: (uri) => this.#reconciler.isSubscribed(uri),
      heardAt: () => this.#heardAt(),
      sizeOf: (uri) => this.catalog.resources.get(uri)?.size,
      resubscribe: (uri) => this.#reconciler.renew(uri),
    };
  }

  #reconcilerListener(): ReconcilerListener {
    const connection = this.#connection;
    return {
      listChanged: () => tellEach(this.#listListeners, this.#deps.log),
      incomplete: (missing) => this.#lacks('resources', missing),
      synced: (detail) => {
        connection.send('synced', detail);
        connection.explain(detail);
      },
      troubled: (detail) => connection.explain(this.#deps.access.conceal(this.#entry, detail)),
      unsupported: (detail) => connection.send('refused', detail),
    };
  }

  #heardAt(): number {
    const { session } = this.#connection;
    if (session === undefined) return Number.NEGATIVE_INFINITY;
    // The end of a pipe is noticed at once, and everything before it has arrived.
    return session.transport === 'http' ? session.heardAt() : this.#deps.clock.now();
  }
}
