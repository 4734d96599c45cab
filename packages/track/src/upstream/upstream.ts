// One configured server as others see it: its state, its resources, and requests to it. The tracker and the
// gateway's clients share this one connection.
import type { Client, ReadResourceResult, ServerCapabilities } from '@modelcontextprotocol/client';
import type { ListName } from '@tidings/live/internal';
import { tellEach } from '../base/log.ts';
import type { ServerEntry } from '../config/config.ts';
import { type ConnectionListener, ServerConnection } from '../connection/server-connection.ts';
import type { CallListener } from '../connection/running-calls.ts';
import { presentable } from '../connection/presentable-info.ts';
import type { Session } from '../connection/session.ts';
import type { TaskWatch, TaskWatcher } from '../connection/task-watches.ts';
import type { ServerState } from '@tidings/client/contract';
import type { ResourceServer } from '../mirror/resource-server.ts';
import type { StderrLine } from '../connection/process/stderr-tail.ts';
import type { Snapshot } from '../mirror/snapshots.ts';
import type { Version } from '../mirror/versions.ts';
import type { Catalog } from '../subscription/catalog/catalog.ts';
import { plainCatalog } from '../subscription/catalog/plain-catalog.ts';
import { type Watch, type Watcher, Watchers } from '../subscription/watchers.ts';
import { DefinitionLists } from './definition-lists.ts';
import { FollowedResources } from './followed-resources.ts';
import { type OwnSession, type OwnSessionOptions, OwnSessions } from './own-sessions.ts';
import { IncompleteLists } from './incomplete-lists.ts';
import type { ReconcilerListener } from './reconciler-deps.ts';
import { Reconciler } from './reconciler.ts';
import { ServerDefinitions } from './server-definitions.ts';
import type { ServerStatus } from '@tidings/client/contract';
import type { UpstreamDeps } from './upstream-deps.ts';
import { UpstreamReports } from './upstream-reports.ts';
import { UpstreamRequests } from './upstream-requests.ts';
import { addressInWords, statusOf } from './upstream-status.ts';

/**
 * One server that the tracker follows: its state, its resources, and reads and calls through its session.
 *
 * @example
 * const { contents } = await tracker.upstream('notes').read('note://today');
 */
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
  /** Its tools, prompts and instructions, and its own name. */
  readonly definitions: ServerDefinitions;
  readonly #incomplete: IncompleteLists;
  #capabilities: ServerCapabilities | undefined;
  #entry: ServerEntry;

  constructor(entry: ServerEntry, deps: UpstreamDeps) {
    const { access, clock, random, settings, telemetry, snapshots, versions, remembered, log, recorder } = deps;
    const serverId = entry.id;
    const conceal = (text: string) => access.conceal(this.#entry, text);
    this.#entry = entry;
    this.#deps = deps;
    this.#watchers = new Watchers(log);
    this.#reports = new UpstreamReports(serverId, { telemetry, log, recorder, conceal });
    this.#incomplete = new IncompleteLists((missing) => {
      this.#reports.error('refresh', missing, { isTracked: this.isTracked });
    });
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
      { serverId, clock, settings, telemetry, snapshots, versions, server, recorder, watchers: this.#watchers },
      remembered,
    );
    this.#followed.isTracked = entry.trackResources && !deps.isFollower;
    this.#lists = new DefinitionLists({
      clock,
      use: (work) => this.use(work),
      lacks: (list, missing) => this.#incomplete.set(list, missing),
      due: (list) => this.definitions.changed(list),
    });
    this.definitions = new ServerDefinitions({
      serverId,
      known: deps.definitions,
      isPinned: () => this.#isPinned,
      list: (list) => this.#lists.list(list),
      introduction: () =>
        this.use(async (client) => {
          const info = client.getServerVersion();
          return { instructions: client.getInstructions(), info: info && presentable(info) };
        }),
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
      expectsResources: () => this.#entry.isTrackedByDefault !== true,
    });
  }

  get id(): string {
    return this.#entry.id;
  }

  get entry(): ServerEntry {
    return this.#entry;
  }

  /** As of the latest session; undefined before the first one. */
  get capabilities(): ServerCapabilities | undefined {
    return this.#capabilities;
  }

  get catalog(): Catalog {
    return this.#listed(this.#reconciler.catalog);
  }

  /** The catalog; before the first one, what was listed when the server was last known, here or by another node. */
  get lastKnownCatalog(): Catalog {
    return this.#listed(this.#reconciler.lastKnownCatalog);
  }

  /** Whether its list has been read since the tracker started; true for a server without resources. */
  get isListKnown(): boolean {
    return this.#reconciler.isListKnown;
  }

  /** Why the last session could not be opened or was lost; a `ConnectFailure` where it could not be opened. */
  get failure(): Error | undefined {
    return this.#connection.failure;
  }

  /** How changes of a watched resource are noticed; `pending` until one of the two is in force. */
  coverage(uri: string): 'subscribed' | 'polled' | 'pending' {
    return this.#reconciler.coverage(uri);
  }

  /** Whether its changes are journaled, by this node or another. */
  get isTracked(): boolean {
    return this.#deps.isFollower ? this.#entry.trackResources : this.#followed.isTracked;
  }

  status(): ServerStatus {
    const address = addressInWords(this.#entry);
    const { name, title, version } = this.definitions.info ?? {};
    return statusOf({
      entry: this.#entry,
      connection: this.#connection,
      detail: this.#shown(this.#connection.detail),
      era: this.#deps.access.eraOf(this.#entry),
      isTracked: this.isTracked,
      held: this.definitions.heldCount,
      resources: this.catalog.resources.size,
      counts: this.#reconciler.counts,
      hashed: this.#followed.hashed,
      address: address && this.#deps.access.conceal(this.#entry, address),
      info: name === undefined || version === undefined ? undefined : { name, title, version },
    });
  }

  /** The status as users see it, on whichever node they ask. */
  shownStatus(): ServerStatus {
    return this.#deps.shown(this.status());
  }

  /** The last lines that its processes wrote on stderr, without the secrets of its entry. */
  get stderr(): readonly StderrLine[] {
    const { access } = this.#deps;
    return access.stderr.lines.map(({ time, pid, text }) => ({ time, pid, text: access.conceal(this.#entry, text) }));
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

  /** Connects anew at once, with a new process where it has one; a disabled server stays as it is. */
  restart(): void {
    this.#connection.send('restart');
  }

  /** Starts or stops following and journaling everything that the server lists. */
  track(isTracked: boolean): void {
    if (isTracked === this.isTracked || this.#deps.isFollower) return;
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

  /** Subscribes to the status of these tasks on the shared session, if the server supports that. */
  watchTasks(taskIds: readonly string[], watcher: TaskWatcher): Promise<TaskWatch> {
    return this.#requests.watchTasks(taskIds, watcher);
  }

  /** Whether it has ever shown, as a server of the 2025 era, that it asks its client for things. */
  get asks(): boolean {
    return this.#deps.access.eraOf(this.#entry)?.asks === true;
  }

  noteAsks(): void {
    this.#deps.access.noteAsks(this.#entry);
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

  /** What a followed resource held, the oldest first. */
  versions(uri: string): readonly Version[] {
    return this.#followed.versions(uri);
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

  /** The server is reached by another way now. */
  reroute(): void {
    void this.#own.close();
    this.#connection.send('restart');
  }

  /** Another object stands for the server from now on; call it after `stop`. */
  discard(): void {
    for (const uri of this.#followed.uris) this.#followed.forget(uri);
  }

  /** Deletes the stored state of a server that was removed from the configuration. */
  forget(): void {
    for (const uri of this.#followed.uris) this.#followed.forget(uri);
    this.#deps.recorder.dropAll();
    this.#deps.telemetry.forget(this.id);
  }

  // Events of the connection.

  opened(session: Session): void {
    this.#capabilities = session.capabilities;
    this.#incomplete.clear();
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
    this.#reports.state(state, this.#shown(detail), this.#connection.failures);
    this.#requests.connectionChanged();
  }

  troubleChanged(): void {
    const { state, detail, failures } = this.#connection;
    // Before that it is part of the next change of the state.
    if (state !== 'connecting') this.#reports.state(state, this.#shown(detail), failures);
  }

  get #isPinned(): boolean {
    return this.#entry.pin === true && !this.#deps.isFollower;
  }

  #listed(catalog: Catalog): Catalog {
    return this.#isPinned ? plainCatalog(catalog) : catalog;
  }

  /** The detail of its state, with the problem it reports and what its lists lack. */
  #shown(detail: string): string {
    const trouble = this.#connection.session?.trouble ?? '';
    return this.#incomplete.addTo([detail, trouble].filter((words) => words !== '').join(' '));
  }

  #resourceServer(): ResourceServer {
    return {
      read: (uri) => this.#requests.read(uri),
      isSubscribed: (uri) => this.#reconciler.isSubscribed(uri),
      heardAt: () => this.#connection.heardAt,
      sizeOf: (uri) => this.catalog.resources.get(uri)?.size,
      resubscribe: (uri) => this.#reconciler.renew(uri),
    };
  }

  #reconcilerListener(): ReconcilerListener {
    const connection = this.#connection;
    return {
      listChanged: () => tellEach(this.#listListeners, this.#deps.log),
      incomplete: (missing) => this.#incomplete.set('resources', missing),
      synced: (detail) => {
        connection.send('synced', detail);
        connection.explain(detail);
      },
      troubled: (detail) => connection.explain(this.#deps.access.conceal(this.#entry, detail)),
      unsupported: (detail) => connection.send('refused', detail),
    };
  }
}
