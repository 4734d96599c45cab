// One configured server: its connection, what is wanted of it, and what is followed. Everybody in this
// process shares this one connection, the tracker and the gateway's clients alike.
import type { Client, ReadResourceResult } from '@modelcontextprotocol/client';
import type { Clock, ListName, Timer } from '@tidings/live';
import { Backoff } from './backoff.ts';
import type { ServerEntry } from './config/config.ts';
import { Connection, type ConnectionListener } from './connection/connection.ts';
import { describeError, isOutage } from './connection/describe-error.ts';
import { Doorway } from './connection/doorway.ts';
import type { Session } from './connection/session.ts';
import type { PublicState } from './connection/states.ts';
import { fromConnection, fromRead, unavailable } from './connection/upstream-error.ts';
import { FollowedResources } from './followed-resources.ts';
import type { ErrorReason } from './journal/event.ts';
import type { Snapshot } from './mirror/snapshots.ts';
import { tellEach } from './log.ts';
import type { ServerStatus } from './server-status.ts';
import type { Catalog } from './subscription/catalog.ts';
import { CatalogKeeper } from './subscription/catalog-keeper.ts';
import { Interests, type Watcher } from './subscription/interests.ts';
import { LegacySubscriptions } from './subscription/legacy-subscriptions.ts';
import { ModernSubscriptions } from './subscription/modern-subscriptions.ts';
import { Polling } from './subscription/polling.ts';
import { RefusalNews } from './subscription/refusal-news.ts';
import type { Subscriptions } from './subscription/subscriptions.ts';
import { SyncLoop } from './subscription/sync-loop.ts';
import { UpstreamReports } from './upstream-reports.ts';
import type { UpstreamSurroundings } from './upstream-surroundings.ts';

/** How long a request waits for a server that is being connected to. */
const waitForSessionMs = 10_000;
/** A listen stream that lasted this long may be opened again at once. */
const steadyStreamMs = 60_000;

/** Everything that belongs to one session and ends with it. */
interface Current {
  session: Session;
  subscriptions: Subscriptions;
  loop: SyncLoop;
  openedAt: number;
}

export class Upstream implements ConnectionListener {
  readonly #surroundings: UpstreamSurroundings;
  readonly #clock: Clock;
  readonly #connection: Connection;
  readonly #followed: FollowedResources;
  readonly #polling: Polling;
  readonly #interests = new Interests();
  readonly #listListeners = new Set<(list: ListName) => void>();
  readonly #doorway: Doorway;
  readonly #catalog: CatalogKeeper;
  readonly #reports: UpstreamReports;
  readonly #refusals = new RefusalNews();
  readonly #streamBackoff: Backoff;
  #entry: ServerEntry;
  #isTracked: boolean;
  #current: Current | undefined;
  #wanted: ReadonlySet<string> = new Set();
  #needsHealing = true;
  /** It was asked for again, and who follows it has not been told. */
  #isListNew = false;
  /** Followed, and never read since. */
  #fresh = new Set<string>();
  #listTimer: Timer | undefined;
  #healing: Promise<void> = Promise.resolve();

  constructor(entry: ServerEntry, surroundings: UpstreamSurroundings) {
    const { clock, random, settings, telemetry, remembered } = surroundings;
    this.#entry = entry;
    this.#isTracked = entry.trackResources;
    this.#surroundings = surroundings;
    this.#clock = clock;
    this.#streamBackoff = new Backoff(random);
    this.#doorway = new Doorway(clock);
    this.#catalog = new CatalogKeeper(remembered.size > 0 ? new Set(remembered.keys()) : undefined);
    this.#reports = new UpstreamReports(entry.id, surroundings);
    this.#connection = new Connection({
      open: (signal, events) => surroundings.opener(this.#entry)(signal, events),
      clock,
      random,
      listener: this,
    });
    this.#followed = new FollowedResources({
      serverId: entry.id,
      clock,
      settings,
      telemetry,
      snapshots: surroundings.snapshots,
      remembered,
      fetch: (uri) => this.#fetch(uri),
      isWatched: (uri) => this.#current?.subscriptions.active.has(uri) === true,
      sizeOf: (uri) => this.#catalog.catalog.resources.get(uri)?.size,
      tellWatchers: (uri) => this.#interests.tell(uri, surroundings.log),
      append: surroundings.append,
      remember: surroundings.remember,
      drop: surroundings.drop,
    });
    this.#followed.isJournaled = this.#isTracked;
    this.#polling = new Polling({
      look: (uri) => this.#followed.poll(uri),
      bounds: settings.poll,
      clock,
      random,
    });
  }

  get id(): string {
    return this.#entry.id;
  }

  get entry(): ServerEntry {
    return this.#entry;
  }

  get catalog(): Catalog {
    return this.#catalog.catalog;
  }

  get isTracked(): boolean {
    return this.#isTracked;
  }

  status(): ServerStatus {
    const { state, detail, since, retryAt, failures, openings, session } = this.#connection;
    const active = this.#current?.subscriptions.active;
    const era = this.#surroundings.eraOf(this.#entry);
    return {
      id: this.id,
      description: this.#entry.description,
      state,
      detail,
      since: new Date(since).toISOString(),
      retryAt: retryAt === undefined ? undefined : new Date(retryAt).toISOString(),
      era: session?.era ?? era?.era,
      eraSeen: era === undefined ? undefined : new Date(era.at).toISOString(),
      transport: 'command' in this.#entry ? 'stdio' : 'url' in this.#entry ? 'http' : 'memory',
      pid: session?.pid,
      enabled: this.#entry.enabled,
      tracked: this.#isTracked,
      resources: this.#catalog.catalog.resources.size,
      wanted: this.#wanted.size,
      subscribed: active === undefined ? 0 : [...this.#wanted].filter((uri) => active.has(uri)).length,
      polled: this.#polling.size,
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
    if (!entry.enabled) this.#connection.send('disable', 'It is not enabled in the configuration.');
    else if (isMoved && before.enabled) this.#connection.send('restart');
    else this.#connection.send('enable');
  }

  /** Begins or ends to follow and journal all that the server lists. */
  track(isTracked: boolean): void {
    if (isTracked === this.#isTracked) return;
    this.#isTracked = isTracked;
    this.#followed.isJournaled = isTracked;
    if (!isTracked) this.#followed.clearWindows();
    this.#current?.loop.request();
  }

  /** Resolves when it is known whether the server is there and what it lists, or after this time. */
  async settled(withinMs: number): Promise<void> {
    await this.#doorway.wait(() => this.#connection.state !== 'connecting' || undefined, withinMs);
  }

  /** Runs `work` with the shared client, once there is one. */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { client } = await this.#whenConnected();
    try {
      return await work(client);
    } catch (error) {
      throw fromConnection(this.id, error);
    }
  }

  read(uri: string): Promise<ReadResourceResult> {
    return this.#followed.read(uri);
  }

  snapshot(uri: string): Snapshot | undefined {
    return this.#followed.snapshot(uri);
  }

  /**
   * Calls `watcher` whenever the resource may have changed. The first to watch a URI subscribes to it, the
   * last to leave gives that up. Resolves when it is in force, or will be once the server is back.
   */
  async watch(uri: string, watcher: Watcher): Promise<() => void> {
    const release = this.#interests.add(uri, watcher);
    const current = this.#current;
    if (current && !this.#wanted.has(uri)) await current.loop.requested();
    return () => {
      release();
      this.#current?.loop.request();
    };
  }

  /** Calls `listener` when one of the server's lists may have changed, and can be read. Returns how to stop. */
  onListChanged(listener: (list: ListName) => void): () => void {
    this.#listListeners.add(listener);
    return () => this.#listListeners.delete(listener);
  }

  async stop(): Promise<void> {
    this.#connection.send('stop');
    this.#followed.clearWindows();
    this.#doorway.open();
    await this.#connection.ended();
  }

  /** Removes what is remembered of a server that is configured no more. */
  forget(): void {
    for (const uri of this.#followed.uris) this.#followed.forget(uri);
    this.#surroundings.telemetry.forget(this.id);
  }

  // What the connection tells.

  opened(session: Session): void {
    const loop: SyncLoop = new SyncLoop({
      run: () => this.#synchronise(current),
      failed: (error, failures) => {
        // One request may fall victim to a connection that was just closed; two in a row are an outage.
        if (isOutage(error) && failures > 1) session.fail(describeError(error));
        else this.#report('refresh', describeError(error));
      },
      clock: this.#clock,
      random: this.#surroundings.random,
    });
    const subscriptions =
      session.era === 'modern'
        ? new ModernSubscriptions(session, () => this.#streamEnded(current))
        : new LegacySubscriptions(session);
    const current: Current = { session, subscriptions, loop, openedAt: this.#clock.now() };
    this.#current = current;
    this.#catalog.age();
    this.#needsHealing = true;
    loop.request();
    this.#doorway.open();
    this.#tellLists(['tools', 'prompts']);
  }

  closed(): void {
    this.#current?.loop.stop();
    this.#current?.subscriptions.close();
    this.#current = undefined;
    this.#polling.close();
    this.#followed.pause();
    this.#listTimer?.cancel();
    this.#reports.counts(this.status());
  }

  updated(uri: string): void {
    if (this.#wanted.has(uri)) this.#followed.updated(uri);
  }

  listChanged(list: ListName): void {
    if (list !== 'resources') return this.#tellLists([list]);
    // Told of once it is known what is listed now.
    this.#catalog.age();
    this.#current?.loop.request();
  }

  gap(): void {
    this.#catalog.age();
    this.#needsHealing = true;
    this.#current?.loop.request();
  }

  stateChanged(state: PublicState, detail: string): void {
    this.#reports.state(state, detail, this.#connection.failures);
    this.#doorway.open();
  }

  // Desired against actual.

  async #synchronise(current: Current): Promise<'done' | 'incomplete'> {
    const { session, subscriptions } = current;
    if (session.capabilities.resources === undefined) return this.#haveNoResources(current);
    if (await this.#catalog.refresh(session.client)) this.#isListNew = true;
    if (this.#current !== current) return 'done';
    const wanted = new Set([
      ...(this.#isTracked ? this.#catalog.catalog.resources.keys() : []),
      ...this.#interests.uris,
    ]);
    this.#wanted = wanted;
    for (const uri of this.#followed.uris) if (!wanted.has(uri)) this.#followed.forget(uri);
    // Before they are subscribed to: an update may come sooner than the answer.
    for (const uri of this.#followed.follow(wanted)) this.#fresh.add(uri);
    const canTell = session.capabilities.resources.subscribe === true && session.delivers;
    const refusals = await subscriptions.apply(canTell ? wanted : new Set());
    if (this.#current !== current) return 'done';
    const refused = new Set(refusals.filter(({ isTransient }) => !isTransient).map(({ uri }) => uri));
    this.#polling.set(canTell ? refused : wanted);
    // Only now: whoever reads what is new must be told if it changes after that.
    const change = this.#catalog.takeChange();
    if (change && this.#isTracked) this.#surroundings.append({ type: 'list_changed', serverId: this.id, ...change });
    if (this.#isListNew) this.#tellLists(['resources']);
    this.#isListNew = false;
    for (const { error, uri } of this.#refusals.of(refusals, wanted.size)) this.#report('subscribe', error, uri);
    this.#healSoon(current);
    this.#pollList(current);
    this.#reports.counts(this.status());
    this.#connection.send('synced', this.#describe(canTell));
    return subscriptions.active.size + this.#polling.size < wanted.size ? 'incomplete' : 'done';
  }

  async #haveNoResources(current: Current): Promise<'done'> {
    await current.subscriptions.apply(new Set());
    if (!this.#isTracked) {
      this.#connection.send('synced');
    } else if (this.#connection.state !== 'unsupported') {
      const detail = 'The server has no resources to follow.';
      this.#report('unsupported', detail);
      this.#connection.send('refused', detail);
    }
    return 'done';
  }

  /** In the background, one after the other: what changes meanwhile must not wait for it. */
  #healSoon(current: Current): void {
    const fresh = this.#fresh;
    const uris = [...(this.#needsHealing ? this.#wanted : fresh)];
    this.#needsHealing = false;
    this.#fresh = new Set();
    if (uris.length === 0) return;
    const isCurrent = () => this.#current === current;
    this.#healing = this.#healing
      .then(() => (isCurrent() ? this.#followed.heal(uris, fresh, isCurrent) : undefined))
      .catch((error: unknown) => this.#surroundings.log.error({ error }, 'Healing failed.'));
  }

  #streamEnded(current: Current): void {
    if (this.#current !== current) return;
    const isSteady = this.#clock.now() - current.openedAt > steadyStreamMs;
    if (isSteady) this.#streamBackoff.reset();
    current.openedAt = this.#clock.now();
    this.#clock.after(isSteady ? 0 : this.#streamBackoff.next(), () => {
      if (this.#current === current) this.gap();
    });
  }

  /** A server that does not tell when its list changes is asked. */
  #pollList(current: Current): void {
    this.#listTimer?.cancel();
    if (current.session.capabilities.resources?.listChanged === true && current.session.delivers) return;
    this.#listTimer = this.#clock.after(this.#surroundings.settings.pollListMs, () => {
      this.#catalog.age();
      current.loop.request();
    });
  }

  // Reports.

  #report(reason: ErrorReason, error: string, uri?: string): void {
    this.#reports.error(reason, error, { uri, isTracked: this.#isTracked });
  }

  #describe(canTell: boolean): string {
    if (this.#wanted.size === 0) return '';
    if (!canTell) return `The server cannot tell of changes; ${this.#wanted.size} resources are polled.`;
    return this.#polling.size > 0 ? `${this.#polling.size} resources were refused and are polled.` : '';
  }

  #tellLists(lists: readonly ListName[]): void {
    for (const list of lists) tellEach(this.#listListeners, this.#surroundings.log, list);
  }

  // Requests.

  async #fetch(uri: string): Promise<ReadResourceResult> {
    const { client } = await this.#whenConnected();
    try {
      return await client.readResource({ uri }, { timeout: this.#surroundings.settings.readMs, cacheMode: 'bypass' });
    } catch (error) {
      throw fromRead(this.id, uri, error);
    }
  }

  async #whenConnected(): Promise<Session> {
    const look = () => {
      const { state, detail } = this.#connection;
      if (!this.#current && state !== 'connecting') throw unavailable(this.id, detail || `it is ${state}.`);
      return this.#current?.session;
    };
    const session = await this.#doorway.wait(look, waitForSessionMs);
    if (session === undefined) throw unavailable(this.id, 'it does not answer.');
    return session;
  }
}
