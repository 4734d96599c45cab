// The parts of one upstream and how they are connected: events of the server connection go to the reconciler, the
// followed resources, the definitions and the reports. `Upstream` is their public interface.
//
//   connection ─opened, updated, gap─► reconciler ─follow, heal─► followed resources ─► watchers, journal
//              ─state─► reports                  ─synced, troubled─► connection
import { randomUUID } from 'node:crypto';
import type { ServerCapabilities } from '@modelcontextprotocol/client';
import type { ServerState } from '@tidings/client/contract';
import type { ListName } from '@tidings/live/internal';
import { callEach } from '../base/log.ts';
import type { ServerEntry } from '../config/config.ts';
import { presentable } from '../connection/bounds/presentable-info.ts';
import { type ConnectionListener, ServerConnection } from '../connection/server-connection.ts';
import type { Session } from '../connection/session/session.ts';
import type { ResourceServer } from '../mirror/resource-server.ts';
import { WantedUris } from '../subscription/wanted-uris.ts';
import type { Watchers } from '../subscription/watchers.ts';
import { DefinitionLists } from './definition/definition-lists.ts';
import { FollowedResources } from './follow/followed-resources.ts';
import { IncompleteLists } from './reconcile/incomplete-lists.ts';
import { OwnSessions } from './request/own-sessions.ts';
import type { ReconcilerListener } from './reconcile/reconciler-deps.ts';
import { Reconciler } from './reconcile/reconciler.ts';
import { UpstreamDefinitions } from './definition/upstream-definitions.ts';
import type { ServerAccess, UpstreamDeps } from './upstream-deps.ts';
import { UpstreamReports } from './upstream-reports.ts';
import { UpstreamRequests } from './request/upstream-requests.ts';

export class UpstreamParts implements ConnectionListener {
  readonly connection: ServerConnection;
  readonly requests: UpstreamRequests;
  readonly own: OwnSessions;
  readonly followed: FollowedResources;
  readonly reconciler: Reconciler;
  readonly watchers: Watchers;
  readonly listListeners = new Set<() => void>();
  readonly definitions: UpstreamDefinitions;
  readonly #wanted = new WantedUris();
  readonly #deps: UpstreamDeps;
  readonly #reports: UpstreamReports;
  readonly #lists: DefinitionLists;
  readonly #incomplete: IncompleteLists;
  /** The capabilities in the latest session. */
  capabilities: ServerCapabilities | undefined;
  #entry: ServerEntry;
  access: ServerAccess;

  constructor(entry: ServerEntry, deps: UpstreamDeps) {
    const { clock, random, settings, telemetry, memory, handover, log, recorder } = deps;
    const serverId = entry.id;
    const conceal = (text: string) => this.access.conceal(text);
    this.#entry = entry;
    this.access = deps.accessTo(entry);
    this.#deps = deps;
    this.watchers = handover.watchers;
    this.#reports = new UpstreamReports(serverId, { telemetry, log, recorder, conceal });
    this.#incomplete = new IncompleteLists((missing) => {
      this.#reports.error('refresh', missing, { isTracked: this.isTracked });
    });
    this.connection = new ServerConnection({
      open: (...args) => this.access.open(...args),
      untilBack: (signal) => this.access.untilBack(signal),
      loginAdvice: () => this.access.loginAdvice,
      clock,
      random,
      listener: this,
    });
    this.own = new OwnSessions({
      serverId,
      open: (...args) => this.access.open(...args),
      conceal,
      updated: (uri) => this.reconciler.doubtSubscription(uri),
      listChanged: (list) => (list === 'resources' ? this.reconciler.relist() : this.definitions.changed(list)),
    });
    const { readMs } = settings;
    this.requests = new UpstreamRequests({ serverId, connection: this.connection, clock, readMs, conceal });
    const server = this.#resourceServer();
    // A random id instead of the user's name, because the user's next connection may be with another account.
    const connection = deps.user === undefined ? undefined : randomUUID();
    const { snapshots, versions } = deps;
    const followed = {
      serverId,
      connection,
      clock,
      settings,
      telemetry,
      snapshots,
      versions,
      server,
      recorder,
      handover,
    };
    this.followed = new FollowedResources(followed, memory.resources);
    this.followed.listeners.isTracked = entry.trackResources && !deps.isFollower && deps.user === undefined;
    this.#lists = new DefinitionLists({
      clock,
      random,
      use: (work) => this.requests.use(work),
      reportMissing: (list, missing) => this.#incomplete.set(list, missing),
      due: (list) => this.definitions.changed(list),
    });
    this.definitions = new UpstreamDefinitions({
      serverId,
      known: memory.definitions,
      earlier: handover.offer,
      isPinned: () => this.isPinned,
      list: (list) => this.#lists.list(list),
      listMeta: (list) => this.#lists.meta(list),
      introduction: () =>
        this.requests.use(async (client) => {
          const info = client.getServerVersion();
          return { instructions: client.getInstructions(), info: info && presentable(info) };
        }),
      recorder,
      log,
    });
    this.reconciler = new Reconciler({
      serverId,
      upstream: deps,
      wanted: this.#wanted,
      followed: this.followed,
      watchers: this.watchers,
      reports: this.#reports,
      listener: this.#reconcilerListener(),
      expectsResources: () => this.entry.isTrackedByDefault !== true,
    });
  }

  get entry(): ServerEntry {
    return this.#entry;
  }

  /** Call it when the configuration was edited. */
  set entry(entry: ServerEntry) {
    this.#entry = entry;
    this.access = this.#deps.accessTo(entry);
  }

  /** Whether changes of the server are journaled, by this node or another. */
  get isTracked(): boolean {
    return this.#deps.isFollower ? this.entry.trackResources : this.followed.listeners.isTracked;
  }

  /** Whether changed definitions are held back here; for a follower, its owner does that. */
  get isPinned(): boolean {
    return this.entry.pin === true && !this.#deps.isFollower;
  }

  /** The detail of the server's state, with its reported problem and the gaps of its lists. */
  shownDetail(detail: string): string {
    const { session } = this.connection;
    const trouble = session?.trouble?.words ?? '';
    const scope = session && 'url' in this.entry ? this.access.scopeAdvice : '';
    return this.#incomplete.addTo([detail, trouble, scope].filter((words) => words !== '').join(' '));
  }

  /** Call it when a successor is about to replace this object. */
  replaced(): void {
    this.#reports.replaced();
  }

  /** Announces pending updates, ends the session, and stops acting for watchers. */
  async stop(): Promise<void> {
    this.reconciler.stop();
    this.followed.stop();
    this.connection.send('stop');
    this.requests.connectionChanged();
    await Promise.all([this.own.close(), this.connection.ended()]);
  }

  // Events of the connection.

  opened(session: Session): void {
    this.capabilities = session.capabilities;
    this.#incomplete.clear();
    this.#lists.begin();
    this.reconciler.begin(session);
    this.requests.connectionChanged();
    this.definitions.changed();
  }

  closed(): void {
    this.reconciler.end();
  }

  updated(uri: string): boolean {
    const concerned = this.#wanted.concernedBy(uri);
    for (const wanted of concerned) this.followed.updated(wanted);
    return concerned.length > 0 || this.reconciler.catalog.resources.has(uri);
  }

  listChanged(list: ListName): void {
    // Reported once the new list of resources has been read.
    if (list === 'resources') this.reconciler.listChanged();
    else this.definitions.changed(list);
  }

  gap(): void {
    this.reconciler.doubt();
  }

  deliveryChanged(): void {
    this.reconciler.deliveryChanged();
  }

  stateChanged(state: ServerState, detail: string): void {
    this.#reports.state(state, this.shownDetail(detail), this.connection.failures);
    this.requests.connectionChanged();
  }

  troubleChanged(): void {
    const { state, detail, failures } = this.connection;
    // While connecting, the trouble is reported with the next change of the state.
    if (state !== 'connecting') this.#reports.state(state, this.shownDetail(detail), failures);
  }

  #resourceServer(): ResourceServer {
    return {
      read: (uri, signal) => this.requests.read(uri, signal),
      isSubscribed: (uri) => this.reconciler.coverage.isSubscribed(uri),
      heardAt: () => this.connection.heardAt,
      sizeOf: (uri) => this.reconciler.catalog.resources.get(uri)?.size,
      resubscribe: (uri) => this.reconciler.renew(uri),
    };
  }

  #reconcilerListener(): ReconcilerListener {
    const connection = this.connection;
    return {
      listChanged: () => callEach(this.listListeners, this.#deps.log),
      listsDoubted: () => this.definitions.changed('tools', 'prompts'),
      incomplete: (missing) => this.#incomplete.set('resources', missing),
      synced: (detail) => {
        connection.send('synced', detail);
        connection.explain(detail);
      },
      troubled: (detail) => connection.explain(this.access.conceal(detail)),
      unsupported: (detail) => connection.send('refused', detail),
    };
  }
}
