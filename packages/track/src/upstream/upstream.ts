// One configured server as others see it: its state, its resources, and requests to it. Everybody in this
// process shares this one connection, the tracker and the gateway's clients alike.
import { type Client, MAX_CACHE_TTL_MS, type ReadResourceResult } from '@modelcontextprotocol/client';
import type { ListName } from '@tidings/live';
import type { ServerEntry } from '../config/config.ts';
import { ServerConnection, type ConnectionListener } from '../connection/server-connection.ts';
import { DefinitionLists } from './definition-lists.ts';
import { ServerDefinitions } from './server-definitions.ts';
import { ConnectionGate } from '../connection/connection-gate.ts';
import type { Session } from '../connection/session.ts';
import type { PublicState } from '../connection/states.ts';
import { fromConnection, fromRead, unavailable } from '../connection/upstream-error.ts';
import { FollowedResources } from './followed-resources.ts';
import type { Snapshot } from '../mirror/snapshots.ts';
import { tellEach } from '../base/log.ts';
import type { ServerStatus } from './server-status.ts';
import type { Catalog } from '../subscription/catalog/catalog.ts';
import { Watchers, type Watcher } from '../subscription/watchers.ts';
import { Reconciler } from './reconciler.ts';
import { UpstreamReports } from './upstream-reports.ts';
import type { UpstreamDeps } from './upstream-deps.ts';

/** How long a request waits for a server that is being connected to. */
const waitForSessionMs = 10_000;

export class Upstream implements ConnectionListener {
  readonly #deps: UpstreamDeps;
  readonly #connection: ServerConnection;
  readonly #followed: FollowedResources;
  readonly #reconciler: Reconciler;
  readonly #watchers = new Watchers();
  readonly #listListeners = new Set<() => void>();
  readonly #gate: ConnectionGate;
  readonly #reports: UpstreamReports;
  readonly #lists: DefinitionLists;
  /** Its tools, prompts and instructions. */
  readonly definitions: ServerDefinitions;
  /** By list: what is known of it is not all the server has. In words. */
  readonly #missing = new Map<string, string>();
  /** An answer may quote what the server was given. */
  readonly #conceal = (text: string) => this.#deps.conceal(this.#entry, text);
  #entry: ServerEntry;

  constructor(entry: ServerEntry, deps: UpstreamDeps) {
    const { clock, random, settings, telemetry, snapshots, remembered, log, recorder } = deps;
    this.#entry = entry;
    this.#deps = deps;
    this.#gate = new ConnectionGate(clock);
    this.#reports = new UpstreamReports(entry.id, { telemetry, log, recorder, conceal: this.#conceal });
    this.#connection = new ServerConnection({
      open: (signal, events, hint) => deps.opener(this.#entry)(signal, events, hint),
      untilBack: (signal) => deps.untilBack(this.#entry, signal),
      clock,
      random,
      listener: this,
    });
    this.#followed = new FollowedResources({
      serverId: entry.id,
      clock,
      settings,
      telemetry,
      snapshots,
      remembered,
      fetch: (uri) => this.#fetch(uri),
      recorder,
      isSubscribed: (uri) => this.#reconciler.isSubscribed(uri),
      heardAt: () => this.#heardAt(),
      sizeOf: (uri) => this.catalog.resources.get(uri)?.size,
      tellWatchers: (uri) => this.#watchers.tell(uri, deps.log),
      reappeared: (uri) => this.#reconciler.renew(uri),
    });
    this.#followed.isTracked = entry.trackResources;
    this.#lists = new DefinitionLists({
      clock,
      use: (work) => this.use(work),
      lacks: (list, missing) => this.#lacks(list, missing),
      due: (list) => this.definitions.changed(list),
    });
    this.definitions = new ServerDefinitions({
      serverId: entry.id,
      known: deps.definitions,
      isPinned: () => this.#entry.pin === true,
      list: (list) => this.#lists.list(list),
      instructions: () => this.use(async (client) => client.getInstructions()),
      append: recorder.append,
      log,
    });
    this.#reconciler = new Reconciler({
      serverId: entry.id,
      deps,
      followed: this.#followed,
      interests: this.#watchers,
      reports: this.#reports,
      tellList: () => this.#tellList(),
      lacks: (missing) => this.#lacks('resources', missing),
      synced: (detail) => {
        this.#connection.send('synced', detail);
        this.#connection.explain(detail);
      },
      troubled: (detail) => this.#connection.explain(this.#conceal(detail)),
      refused: (detail) => this.#connection.send('refused', detail),
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
    const era = this.#deps.eraOf(this.#entry);
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

  /** Takes over an edited entry. */
  adjust(entry: ServerEntry, isMoved: boolean): void {
    const before = this.#entry;
    this.#entry = entry;
    if (entry.trackResources !== before.trackResources) this.track(entry.trackResources);
    if (entry.pin !== before.pin) this.definitions.reviewPin();
    if (!entry.enabled) this.#connection.send('disable', 'It is not enabled in the configuration.');
    else if (isMoved && before.enabled) this.#connection.send('restart');
    else this.#connection.send('enable');
  }

  /** Begins or ends to follow and journal all that the server lists. */
  track(isTracked: boolean): void {
    if (isTracked === this.isTracked) return;
    this.#followed.isTracked = isTracked;
    if (isTracked) this.#reconciler.resume();
    this.#reconciler.request();
  }

  /** Resolves when it is known whether the server is there and what it lists, or after this time. */
  async settled(withinMs: number): Promise<void> {
    await this.#gate.wait(() => this.#connection.state !== 'connecting' || undefined, withinMs);
  }

  /** Runs `work` with the shared client, once there is one. */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const session = await this.#whenConnected();
    try {
      return await session.work(work);
    } catch (error) {
      throw fromConnection(this.id, error, this.#conceal);
    }
  }

  /** The URI the server uses for this one: the same, unless it is one as agents are shown it. */
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
   * Calls `watcher` whenever the resource may have changed; it reads what it wants to hold by `read`. The first
   * to watch a URI subscribes to it, the last to leave gives that up. Resolves when it is in force, or will be
   * once the server is back: then it is called.
   */
  async watch(uri: string, watcher: Watcher): Promise<() => void> {
    const release = this.#watchers.add(uri, watcher);
    if (!this.#reconciler.isInForce(uri)) await this.#reconciler.requested(uri);
    if (!this.#reconciler.isDecided(uri)) this.#followed.owe(uri);
    return () => {
      release();
      this.#reconciler.touch(uri);
    };
  }

  /** Calls `listener` when the list of resources may have changed, and can be read. Returns how to stop. */
  onListChanged(listener: () => void): () => void {
    this.#listListeners.add(listener);
    return () => this.#listListeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.#followed.stop();
    this.#connection.send('stop');
    this.#gate.open();
    await this.#connection.ended();
  }

  /** Removes what is remembered of a server that is configured no more. */
  forget(): void {
    for (const uri of this.#followed.uris) this.#followed.forget(uri);
    this.#deps.recorder.dropAll();
    this.#deps.telemetry.forget(this.id);
  }

  // What the connection tells.

  opened(session: Session): void {
    this.#missing.clear();
    this.#lists.begin();
    this.#reconciler.begin(session);
    this.#gate.open();
    this.definitions.changed();
  }

  closed(): void {
    this.#reconciler.end();
  }

  updated(uri: string): void {
    for (const wanted of this.#reconciler.concernedBy(uri)) this.#followed.updated(wanted);
  }

  listChanged(list: ListName): void {
    // That of the resources is told of once it is known what is listed now.
    if (list === 'resources') this.#reconciler.listChanged();
    else this.definitions.changed(list);
  }

  gap(): void {
    this.#reconciler.doubt();
  }

  deliveryChanged(): void {
    this.#reconciler.deliveryChanged();
  }

  stateChanged(state: PublicState, detail: string): void {
    this.#reports.state(state, this.#withMissing(detail), this.#connection.failures);
    this.#gate.open();
  }

  #lacks(list: string, missing: string): void {
    if ((this.#missing.get(list) ?? '') === missing) return;
    this.#missing.set(list, missing);
    if (missing !== '') this.#reports.error('refresh', missing, { isTracked: this.isTracked });
  }

  #withMissing(detail: string): string {
    return [detail, ...this.#missing.values()].filter((words) => words !== '').join(' ');
  }

  #tellList(): void {
    tellEach(this.#listListeners, this.#deps.log);
  }

  /** Until when notifications are known to have arrived. */
  #heardAt(): number {
    const { session } = this.#connection;
    if (session === undefined) return Number.NEGATIVE_INFINITY;
    // The end of a pipe is noticed at once, and everything before it has arrived.
    return session.transport === 'http' ? session.heardAt() : this.#deps.clock.now();
  }

  // Requests.

  async #fetch(uri: string): Promise<ReadResourceResult> {
    const { client } = await this.#whenConnected();
    try {
      // Not readResource: the SDK would remember every URI that was ever read, even without its cache.
      const request = { method: 'resources/read' as const, params: { uri } };
      return withUsableTtl(await client.request(request, { timeout: this.#deps.settings.readMs }));
    } catch (error) {
      throw fromRead(this.id, uri, error, this.#conceal);
    }
  }

  async #whenConnected(): Promise<Session> {
    const look = () => {
      const { state, detail, session } = this.#connection;
      if (!session && state !== 'connecting') throw unavailable(this.id, detail || `it is ${state}.`);
      return session;
    };
    const session = await this.#gate.wait(look, waitForSessionMs);
    if (session === undefined) throw unavailable(this.id, 'it does not answer.');
    return session;
  }
}

/** How long a server says that its answer holds, as far as it can be: clients refuse a negative or endless time. */
function withUsableTtl(result: ReadResourceResult): ReadResourceResult {
  const { ttlMs, ...rest } = result;
  if (ttlMs === undefined) return result;
  const isUsable = typeof ttlMs === 'number' && Number.isFinite(ttlMs) && ttlMs >= 0;
  return isUsable ? { ...rest, ttlMs: Math.min(Math.floor(ttlMs), MAX_CACHE_TTL_MS) } : rest;
}
