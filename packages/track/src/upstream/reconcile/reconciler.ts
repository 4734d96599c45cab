// Keeps the subscriptions and polls at one server equal to the wanted resources, over all its sessions: lists, follows,
// subscribes, polls and heals. Wanted are the resources that the server lists, if it is tracked, and the watched ones.
//
//   request ─► list ─► wanted ─► follow ─► subscribe ─► poll what is missing ─► tell the list ─► heal
//      ▲                                      │
//      └── late answers, lost streams, retries ┘
import type { Clock } from '@tidings/live';
import { describeError, isOutage } from '../../connection/error/describe-error.ts';
import type { Session } from '../../connection/session/session.ts';
import type { Catalog } from '../../subscription/catalog/catalog.ts';
import type { WantedUris } from '../../subscription/wanted-uris.ts';
import { CatalogKeeper } from '../../subscription/catalog/catalog-keeper.ts';
import { MissedListChanges } from '../../subscription/catalog/missed-list-changes.ts';
import { Coverage } from './coverage.ts';
import type { FollowedResources } from '../follow/followed-resources.ts';
import { HealingQueue } from '../follow/healing-queue.ts';
import { ListChangeReports } from '../follow/list-change-reports.ts';
import { MissingPolls } from './missing-polls.ts';
import { ReconciledSession, type ReconciledSessionEvents } from './reconciled-session.ts';
import { SilentStreamReads } from './silent-stream-reads.ts';
import { StreamPauses } from './stream-pauses.ts';
import { SyncTimers } from './sync-timers.ts';
import type { ReconcilerDeps } from './reconciler-deps.ts';
import { ReconcilerReports } from './reconciler-reports.ts';

export class Reconciler implements ReconciledSessionEvents {
  readonly #deps: ReconcilerDeps;
  readonly #clock: Clock;
  readonly #followed: FollowedResources;
  readonly #catalog: CatalogKeeper;
  readonly #wanted: WantedUris;
  readonly #polls: MissingPolls;
  readonly coverage: Coverage;
  readonly #listReports: ListChangeReports;
  readonly #missedChanges: MissedListChanges;
  readonly #reports: ReconcilerReports;
  readonly #timers: SyncTimers;
  readonly #silentReads: SilentStreamReads;
  readonly #streamPauses: StreamPauses;
  readonly #healing: HealingQueue;
  readonly #unfollow: () => void;
  #current: ReconciledSession | undefined;
  /** Whether the server had no resources in the last session. */
  #hasNoResources = false;

  constructor(deps: ReconcilerDeps) {
    const { followed, listener, serverId, upstream, wanted, watchers } = deps;
    const { clock, random, recorder, memory, settings } = upstream;
    this.#deps = deps;
    this.#reports = new ReconcilerReports(deps);
    this.#clock = clock;
    this.#followed = followed;
    this.#wanted = wanted;
    this.#catalog = new CatalogKeeper(memory.catalog, clock);
    this.#polls = new MissingPolls(upstream, wanted, followed);
    this.coverage = new Coverage(() => this.#current, this.#polls);
    this.#missedChanges = new MissedListChanges(clock, () => this.request());
    const { listChanged } = listener;
    const reportDeps = {
      serverId,
      catalog: this.#catalog,
      missedChanges: this.#missedChanges,
      wanted,
      followed,
      recorder,
      listChanged,
    };
    this.#listReports = new ListChangeReports(reportDeps);
    const { pollListMs, silentMs } = settings;
    this.#silentReads = new SilentStreamReads({
      clock,
      silentMs,
      uris: () => wanted.uris,
      recent: () => followed.recent.uris,
      verify: async (uri) => this.coverage.isSubscribed(uri) && (await followed.checks.verify(uri)),
    });
    this.#timers = new SyncTimers({
      clock,
      pollListMs,
      request: () => this.request(),
      relist: () => this.relist(),
    });
    this.#streamPauses = new StreamPauses(clock, random);
    this.#healing = new HealingQueue(followed.healing, upstream.log);
    this.#unfollow = watchers.follow((uri) => {
      wanted.touch(uri);
      this.#current?.loop.request();
    });
  }

  get catalog(): Catalog {
    return this.#catalog.catalog;
  }

  /** The catalog; before the first reading, the one of the server's last session. */
  get lastKnownCatalog(): Catalog {
    return this.#catalog.lastKnown;
  }

  /** Whether the list has been read since the tracker started; true for a server without resources. */
  get isListKnown(): boolean {
    return this.#catalog.isKnown || this.#hasNoResources;
  }

  /** The server's own spelling of a URI that agents are shown. */
  spelling(uri: string): string {
    return this.#catalog.spelling(uri) ?? this.#deps.watchers.spelling(uri) ?? uri;
  }

  get counts() {
    return {
      wanted: this.#wanted.uris.size,
      subscribed: this.#current?.subscribed ?? 0,
      polled: this.#polls.size,
    };
  }

  begin(session: Session): void {
    const { clock, random, settings } = this.#deps.upstream;
    const deps = { clock, random, subscribeMs: settings.subscribeMs, catalog: this.#catalog };
    this.#current = new ReconciledSession(session, deps, this);
    this.#hasNoResources = !this.#current.hasResources;
    this.#catalog.begin();
    this.#silentReads.begin(session);
    this.doubt();
  }

  end(): void {
    this.#current?.end();
    this.#current = undefined;
    this.#wanted.touchAll();
    this.#polls.close();
    this.#followed.doubtAll();
    this.#timers.cancel();
    this.#silentReads.end();
    this.#missedChanges.stop();
    this.#reports.counts(this.counts);
  }

  /** From now on, watchers make no URI wanted. */
  stop(): void {
    this.#unfollow();
  }

  /** Requests a run in which all URIs are compared with the wanted ones. */
  request(): void {
    this.#wanted.touchAll();
    this.#current?.loop.request();
  }

  /** Resolves when all URIs that are wanted now are in force, or the server is not connected. */
  async requested(uri: string): Promise<void> {
    this.#wanted.touch(uri);
    await this.#current?.loop.requested();
  }

  /** Requests a run that reads the list again. */
  relist(): void {
    this.#catalog.age();
    this.request();
  }

  /** Handles `list_changed` of the server. */
  listChanged(): void {
    this.#missedChanges.announce();
    this.relist();
  }

  /** Call it when `Session.delivery` has changed. */
  deliveryChanged(): void {
    if (this.#current) this.#polls.updateAll(this.#current);
    this.request();
  }

  /** Handles a gap: notifications may have been lost, including `list_changed`. */
  doubt(): void {
    this.#followed.doubtAll();
    this.#missedChanges.miss();
    this.#doubtLists();
  }

  /** Reads and compares a resource of which a caller's own session reported a change. */
  doubtSubscription(uri: string): void {
    for (const wanted of this.#wanted.concernedBy(uri)) this.#followed.doubt(wanted);
    this.#current?.loop.request();
  }

  /** Renews a subscription that the server may have dropped. */
  renew(uri: string): void {
    this.#current?.subscriptions.renew([uri]);
    this.request();
  }

  /** Follows all listed resources again. */
  resume(): void {
    this.#listReports.resume();
  }

  // Events of the session.

  answered(current: ReconciledSession): void {
    if (this.#current === current) this.request();
  }

  failed({ session }: ReconciledSession, error: unknown, failures: number): void {
    // The failed run may have been done in part, so the next one compares all URIs.
    this.#wanted.touchAll();
    if (this.#current?.session !== session) return;
    // One request may fail because its connection was just closed; two in a row are an outage.
    if (isOutage(error) && failures > 1) return session.fail(describeError(error));
    this.#reports.failed(error, failures);
  }

  streamEnded(current: ReconciledSession): void {
    if (this.#current !== current) return;
    const pauseMs = this.#streamPauses.next(current);
    current.notifiesLists = current.subscriptions.notifiesLists;
    // The server may have been restarted, with another protocol version.
    current.session.checkHealth();
    this.#followed.doubtAll();
    this.#polls.updateAll(current);
    this.#clock.after(pauseMs, () => {
      if (this.#current === current) this.doubt();
    });
  }

  streamLost(current: ReconciledSession, uris: Iterable<string>): void {
    if (this.#current !== current) return;
    for (const uri of uris) this.#followed.doubt(uri);
    current.loop.request();
  }

  async run(current: ReconciledSession): Promise<void> {
    if (!current.hasResources) return this.#runWithoutResources(current);
    await this.#list(current);
    if (this.#current !== current) return;
    const { isTracked } = this.#followed.listeners;
    const { canSubscribe, canNotify, subscriptions } = current;
    if (canSubscribe !== current.couldSubscribe || canNotify !== current.couldNotify) this.#wanted.touchAll();
    const listed = isTracked ? this.#catalog.lastKnown.resources : undefined;
    const change = this.#wanted.update({ listed, watched: this.#deps.watchers });
    const wanted = this.#wanted.uris;
    for (const uri of this.#followed.followOnly(wanted, change)) this.#reports.forget(uri);
    this.#listReports.compare(subscriptions);
    current.session.expectNotifications(wanted.size > 0);
    const changed = change.isWhole ? undefined : [...change.added, ...change.removed];
    const missing = await subscriptions.apply(canSubscribe ? wanted : new Set(), changed);
    if (this.#current !== current) return;
    if (change.isWhole) {
      current.couldSubscribe = canSubscribe;
      current.couldNotify = current.canNotify;
    }
    this.#polls.update(current, change, missing);
    if (change.isWhole && this.#catalog.isKnown) this.#listReports.tell(isTracked);
    this.#reports.missing(missing, wanted.size, change.isWhole);
    this.#healing.add({
      isCurrent: () => this.#current === current,
      isInForce: (uri) => this.coverage.isInForce(uri),
    });
    this.#relistAfterStream(current);
    this.#timers.set(current);
    this.#reports.done(current, this.counts, this.#catalog.isKnown);
  }

  async #runWithoutResources(current: ReconciledSession): Promise<void> {
    this.#wanted.touchAll();
    await current.subscriptions.apply(new Set());
    this.#reports.withoutResources(current);
  }

  /** If the list does not arrive in time, the run continues with the known one. */
  async #list({ refresh }: ReconciledSession): Promise<void> {
    const outcome = await refresh.refresh();
    if (outcome === 'same' || outcome === 'other') {
      this.#listReports.read(outcome);
      this.#wanted.touchAll();
    }
    this.#deps.listener.incomplete(this.catalog.missing);
  }

  /** The list may have changed after it was read and before the stream that reports such changes was open. */
  #relistAfterStream(current: ReconciledSession): void {
    const { notifiesLists } = current.subscriptions;
    const isNew = notifiesLists && !current.notifiesLists && current.session.era === 'modern';
    current.notifiesLists = notifiesLists;
    if (isNew) this.#doubtLists();
  }

  #doubtLists(): void {
    this.#deps.listener.listsDoubted();
    this.relist();
  }
}
