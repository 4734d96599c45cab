// Keeps what is in force at one server equal to what is wanted of it: lists, follows, subscribes, polls
// and heals, over every session there is with it. Wanted is what it lists, if it is tracked, and what
// somebody watches.
import type { Clock, Timer } from '@tidings/live';
import { Backoff } from '@tidings/live/time';
import { retryPauses } from '../base/retry-pauses.ts';
import { describeError, isOutage } from '../connection/describe-error.ts';
import type { Session } from '../connection/session.ts';
import type { FollowedResources } from './followed-resources.ts';
import type { ErrorReason } from '../journal/event.ts';
import type { Catalog } from '../subscription/catalog/catalog.ts';
import { CatalogKeeper } from '../subscription/catalog/catalog-keeper.ts';
import { difference } from '../subscription/difference.ts';
import type { Watchers } from '../subscription/watchers.ts';
import { CatalogRefresh } from '../subscription/catalog/catalog-refresh.ts';
import { SubscribeRequests } from '../subscription/subscribe-requests.ts';
import { ListSuspicion } from '../subscription/catalog/list-suspicion.ts';
import { ListenStreams } from '../subscription/listen-streams.ts';
import { NotifiedUris } from '../subscription/notified-uris.ts';
import { Polling } from '../subscription/polling.ts';
import { SubscriptionReports, missingSubscriptions } from '../subscription/subscription-reports.ts';
import type { MissingSubscription, Subscriptions } from '../subscription/subscriptions.ts';
import { SyncLoop } from '../subscription/sync-loop.ts';
import { Wanted, type WantedChange } from '../subscription/wanted.ts';
import type { UpstreamReports } from './upstream-reports.ts';
import type { UpstreamDeps } from './upstream-deps.ts';

/** A listen stream that lasted this long may be opened again at once. */
const steadyStreamMs = 5000;

export interface ReconcilerDeps {
  serverId: string;
  deps: UpstreamDeps;
  followed: FollowedResources;
  interests: Watchers;
  reports: UpstreamReports;
  /** There is another list of resources. */
  tellList(this: void): void;
  /** Everything wanted is in force; `detail` says how, where that is not the usual way. */
  synced(this: void, detail: string): void;
  /** Something of it could not be put in force; it is tried again. */
  troubled(this: void, detail: string): void;
  /** What the catalog lacks of what the server has, in words; empty where it is whole. */
  lacks(this: void, missing: string): void;
  /** It is tracked and has no resources. */
  refused(this: void, detail: string): void;
}

/** Everything that belongs to one session and ends with it. */
interface Current {
  session: Session;
  subscriptions: Subscriptions;
  listing: CatalogRefresh;
  loop: SyncLoop;
  streamsSince: number;
  isRefused: boolean;
  /** Whether changes of the lists were heard of after the last run. */
  hearsLists: boolean;
  /** Whether the server took subscriptions, and was able to tell of changes, when everything was last compared. */
  couldSubscribe: boolean;
  couldTell: boolean;
}

export class Reconciler {
  readonly #options: ReconcilerDeps;
  readonly #clock: Clock;
  readonly #followed: FollowedResources;
  readonly #catalog: CatalogKeeper;
  readonly #polling: Polling;
  readonly #refusals = new SubscriptionReports();
  readonly #streamBackoff: Backoff;
  #current: Current | undefined;
  readonly #wanted = new Wanted();
  readonly #notified = new NotifiedUris((uri) => this.#wanted.uris.has(uri));
  /** It is another, and who follows it has not been told. */
  #isListNew = false;
  /** It was asked for, and has not been compared with what is followed. */
  #isListRead = false;
  /** Tracking was resumed, and the journal has not said so. */
  #isResumed = false;
  #listTimer: Timer | undefined;
  /** Until what is not in force is asked for again. */
  #retryTimer: Timer | undefined;
  readonly #suspicion: ListSuspicion;
  #healing: Promise<void> = Promise.resolve();

  constructor(options: ReconcilerDeps) {
    const { clock, random, remembered, settings } = options.deps;
    this.#options = options;
    this.#clock = clock;
    this.#followed = options.followed;
    const listed = [...remembered].flatMap(([uri, { isListed }]) => (isListed ? [uri] : []));
    this.#catalog = new CatalogKeeper(listed.length > 0 ? new Set(listed) : undefined, clock);
    this.#polling = new Polling({ look: (uri) => this.#followed.poll(uri), bounds: settings.poll, clock, random });
    this.#streamBackoff = new Backoff(retryPauses, random);
    this.#suspicion = new ListSuspicion(clock, () => this.relist());
  }

  get catalog(): Catalog {
    return this.#catalog.catalog;
  }

  /** The URI the server uses for what agents are shown as `uri`. */
  spelling(uri: string): string {
    return this.#catalog.spelling(uri) ?? this.#options.interests.spelling(uri) ?? uri;
  }

  /** What is wanted of what a notification is about. */
  concernedBy(uri: string): string[] {
    return this.#notified.find(uri);
  }

  /** Whether the server has agreed to tell of it, and can. */
  isSubscribed(uri: string): boolean {
    if (this.#current === undefined) return false;
    const { session, subscriptions } = this.#current;
    return session.delivery === 'open' && subscriptions.active.has(uri);
  }

  /** Whether its changes are heard of, or looked for. */
  isInForce(uri: string): boolean {
    return this.isSubscribed(uri) || (this.#current !== undefined && this.#polling.has(uri));
  }

  /** Whether that stays so: it is not only looked for until the server answers. */
  isDecided(uri: string): boolean {
    return this.isInForce(uri) && this.#current?.subscriptions.awaits(uri) === false;
  }

  get counts() {
    const { session, subscriptions } = this.#current ?? {};
    const subscribed = session?.delivery === 'open' ? (subscriptions?.active.size ?? 0) : 0;
    return { wanted: this.#wanted.uris.size, subscribed, polled: this.#polling.size };
  }

  begin(session: Session): void {
    const { random, settings } = this.#options.deps;
    const clock = this.#clock;
    const failed = (error: unknown, failures: number) => this.#failed(session, error, failures);
    const loop: SyncLoop = new SyncLoop({ run: () => this.#synchronise(current), failed, clock, random });
    const request = () => {
      if (this.#current === current) this.request();
    };
    const deps = { clock, random, answerMs: settings.subscribeMs, changed: request };
    const subscriptions =
      session.era === 'modern'
        ? new ListenStreams(session, deps, () => this.#streamEnded(current))
        : new SubscribeRequests(session, deps);
    const { client } = session;
    const listing = new CatalogRefresh({ client, catalog: this.#catalog, clock, random, arrived: request, failed });
    const current: Current = {
      session,
      subscriptions,
      listing,
      loop,
      streamsSince: clock.now(),
      isRefused: false,
      hearsLists: false,
      couldSubscribe: false,
      couldTell: false,
    };
    this.#current = current;
    this.#catalog.begin();
    this.doubt();
  }

  end(): void {
    this.#current?.loop.stop();
    this.#current?.subscriptions.close();
    this.#current = undefined;
    this.#wanted.touchAll();
    this.#polling.close();
    this.#followed.doubtAll();
    this.#listTimer?.cancel();
    this.#retryTimer?.cancel();
    this.#suspicion.stop();
    this.#options.reports.counts(this.counts);
  }

  /** Whether all that is listed is wanted has changed. */
  request(): void {
    this.#wanted.touchAll();
    this.#current?.loop.request();
  }

  /** Whether this one is watched may have changed. */
  touch(uri: string): void {
    this.#wanted.touch(uri);
    this.#current?.loop.request();
  }

  /** Resolves when what is wanted now is in force, or will be once the server is back. */
  async requested(uri: string): Promise<void> {
    this.#wanted.touch(uri);
    await this.#current?.loop.requested();
  }

  /** The list is not what it was. */
  relist(): void {
    this.#catalog.age();
    this.request();
  }

  /** The server says that the list is not what it was. */
  listChanged(): void {
    this.#suspicion.announce();
    this.relist();
  }

  /** Whether the server can tell of changes is not what it was. */
  deliveryChanged(): void {
    if (this.#current) this.#pollMissing(this.#current);
    this.request();
  }

  /** Anything may have changed unheard. */
  doubt(): void {
    this.#followed.doubtAll();
    this.relist();
  }

  /** The server may have forgotten that it agreed to tell of this one. */
  renew(uri: string): void {
    this.#current?.subscriptions.renew([uri]);
    this.request();
  }

  /** All that is listed is to be followed again. */
  resume(): void {
    this.#isResumed = true;
  }

  #failed(session: Session, error: unknown, failures: number): void {
    // It is not known how much of it was done.
    this.#wanted.touchAll();
    if (this.#current?.session !== session) return;
    // One request may fall victim to a connection that was just closed; two in a row are an outage.
    if (isOutage(error) && failures > 1) return session.fail(describeError(error));
    this.#report('refresh', describeError(error), { failures });
    this.#options.troubled(describeError(error));
  }

  async #synchronise(current: Current): Promise<void> {
    const { session, subscriptions } = current;
    const { interests, reports } = this.#options;
    if (session.capabilities.resources === undefined) return this.#haveNoResources(current);
    await this.#list(current);
    if (this.#current !== current) return;
    const { isTracked } = this.#followed;
    const canSubscribe = session.capabilities.resources.subscribe === true && session.delivery !== 'none';
    if (canSubscribe !== current.couldSubscribe || canTell(session) !== current.couldTell) this.#wanted.touchAll();
    const change = this.#wanted.update({ listed: isTracked ? this.#catalog.listed : undefined, watched: interests });
    const wanted = this.#wanted.uris;
    this.#follow(change);
    if (this.#isListRead) this.#relisted(subscriptions);
    this.#isListRead = false;
    session.expectNotifications(wanted.size > 0);
    const changed = change.isWhole ? undefined : [...change.added, ...change.removed];
    const refusals = await subscriptions.apply(canSubscribe ? wanted : new Set(), changed);
    if (this.#current !== current) return;
    if (change.isWhole) {
      current.couldSubscribe = canSubscribe;
      current.couldTell = canTell(session);
    }
    this.#poll(current, change, refusals);
    // Only now: whoever reads what is new must be told if it changes after that.
    if (change.isWhole && this.#catalog.isKnown) this.#tellList(isTracked);
    for (const { error, uri } of this.#refusals.of(refusals, wanted.size, change.isWhole)) {
      this.#report('subscribe', error, { uri });
    }
    this.#healSoon(current);
    this.#hearLists(current);
    this.#pollList(current);
    this.#retryLater(current);
    reports.counts(this.counts);
    this.#say(current);
  }

  /** Without a list that comes in time, with what is known. */
  async #list({ listing }: Current): Promise<void> {
    const listed = await listing.refresh();
    this.#isListNew ||= listed === 'other';
    if (listed === 'same' || listed === 'other') {
      this.#isListRead = true;
      this.#wanted.touchAll();
    }
    this.#options.lacks(this.catalog.missing);
  }

  /** What is wanted of a server that is tracked is not known before its first list. */
  #say(current: Current): void {
    const { synced, troubled } = this.#options;
    const detail = this.#describe(current);
    if (this.#catalog.isKnown || !this.#followed.isTracked) synced(detail);
    else troubled(detail);
  }

  /** The list may have changed after it was read and before the stream that reports such changes was open. */
  #hearLists(current: Current): void {
    const { hearsLists } = current.subscriptions;
    const isNew = hearsLists && !current.hearsLists && current.session.era === 'modern';
    current.hearsLists = hearsLists;
    if (isNew) this.relist();
  }

  #retryLater({ subscriptions }: Current): void {
    this.#retryTimer?.cancel();
    const { retryMs } = subscriptions;
    if (retryMs !== undefined) this.#retryTimer = this.#clock.after(retryMs, () => this.request());
  }

  /** Before it is subscribed to: an update may come sooner than the answer. */
  #follow({ added, removed, isWhole }: WantedChange): void {
    const { uris } = this.#wanted;
    // With the first list also what was followed when the tracker last ran.
    const gone = isWhole ? difference(this.#followed.uris, uris) : removed;
    for (const uri of gone) {
      this.#followed.forget(uri);
      this.#refusals.forget(uri);
    }
    for (const uri of removed) this.#notified.delete(uri);
    for (const uri of added) this.#notified.add(uri);
    for (const uri of isWhole ? uris : added) this.#followed.follow(uri);
  }

  /** What is wanted and not in force is looked at. */
  #poll(current: Current, { removed, isWhole, added }: WantedChange, refusals: readonly MissingSubscription[]): void {
    if (isWhole) return this.#pollMissing(current);
    for (const uri of removed) this.#polling.delete(uri);
    // Also what a stream has lost that was replaced.
    for (const uri of [...added, ...refusals.map((refusal) => refusal.uri)]) {
      if (this.#wanted.uris.has(uri) && !this.isSubscribed(uri)) this.#polling.add(uri);
    }
  }

  #pollMissing({ session, subscriptions }: Current): void {
    const { uris } = this.#wanted;
    const missing = canTell(session) ? new Set(difference(uris, subscriptions.active)) : uris;
    // What is polled no more may have changed between the last look and the subscription.
    for (const uri of this.#polling.uris) if (!missing.has(uri)) this.#followed.doubt(uri);
    this.#polling.set(missing);
  }

  /** Says what is listed now, and in the journal also that there was a time when it told of no changes. */
  #tellList(isTracked: boolean): void {
    const { serverId, deps, tellList } = this.#options;
    if (isTracked) {
      const change = this.#catalog.takeChange();
      if (change) deps.recorder.append({ type: 'list_changed', serverId, ...change });
      if (this.#isListNew || this.#isResumed) {
        this.#followed.listed(this.catalog.resources.keys(), change?.removed ?? []);
      }
      if (this.#isResumed) this.#followed.resume();
      this.#isResumed = false;
    }
    if (this.#isListNew) tellList();
    this.#isListNew = false;
  }

  /** Resources may have left the list, or returned to it: what was gone, a server often forgets to tell of. */
  #relisted(subscriptions: Subscriptions): void {
    const change = this.#catalog.takeDifference();
    for (const uri of change?.removed ?? []) this.#followed.vanished(uri);
    const suspects = this.#suspicion.read(change !== undefined, this.#wanted.uris);
    // What is followed for the first time has not been subscribed to either.
    const returned = [...(change?.added ?? []), ...suspects].filter((uri) => subscriptions.active.has(uri));
    for (const uri of returned) this.#followed.doubt(uri);
    subscriptions.renew(returned);
    this.#followed.doubtAbsent();
  }

  async #haveNoResources(current: Current): Promise<void> {
    this.#wanted.touchAll();
    await current.subscriptions.apply(new Set());
    const { isTracked } = this.#followed;
    if (!isTracked) {
      this.#options.synced('');
    } else if (!current.isRefused) {
      const detail = 'The server has no resources to follow.';
      this.#report('unsupported', detail);
      this.#options.refused(detail);
    }
    current.isRefused = isTracked;
  }

  /** In the background, one after the other: what changes meanwhile must not wait for it. */
  #healSoon(current: Current): void {
    const isCurrent = () => this.#current === current;
    this.#healing = this.#healing
      .then(() => (isCurrent() ? this.#followed.heal((uri) => this.isInForce(uri), isCurrent) : undefined))
      .catch((error: unknown) => this.#options.deps.log.error({ error }, 'Healing failed.'));
  }

  #streamEnded(current: Current): void {
    if (this.#current !== current) return;
    const isSteady = this.#clock.now() - current.streamsSince > steadyStreamMs;
    if (isSteady) this.#streamBackoff.reset();
    current.streamsSince = this.#clock.now();
    this.#followed.doubtAll();
    this.#pollMissing(current);
    this.#clock.after(isSteady ? 0 : this.#streamBackoff.next(), () => {
      if (this.#current === current) this.doubt();
    });
  }

  /** A list that changes too often is read again later; a server that does not tell when its list changes is asked. */
  #pollList(current: Current): void {
    this.#listTimer?.cancel();
    const { dueMs } = current.listing;
    if (dueMs !== undefined) {
      this.#listTimer = this.#clock.after(dueMs, () => this.request());
      return;
    }
    const { session, subscriptions } = current;
    const isTold = session.capabilities.resources?.listChanged === true && session.delivery === 'open';
    if (isTold && subscriptions.hearsLists) return;
    this.#listTimer = this.#clock.after(this.#options.deps.settings.pollListMs, () => this.relist());
  }

  #report(reason: ErrorReason, error: string, more: { uri?: string | undefined; failures?: number } = {}): void {
    this.#options.reports.error(reason, error, { ...more, isTracked: this.#followed.isTracked });
  }

  #describe({ listing, session, subscriptions }: Current): string {
    const { size } = this.#wanted.uris;
    const parts = [listing.problem];
    if (size > 0 && session.delivery === 'pending') {
      parts.push(`The stream of notifications is not open; ${size} resources are polled until it is.`);
    } else if (size > 0 && !canTell(session)) {
      parts.push(`The server cannot tell of changes; ${size} resources are polled.`);
    } else if (this.#polling.size > 0) {
      const { refused, unanswered } = subscriptions.missing;
      if (refused > 0) parts.push(missingSubscriptions('refused', refused, size));
      if (unanswered > 0) parts.push(missingSubscriptions('has not answered', unanswered, size));
    }
    return parts.filter((part) => part !== '').join(' ');
  }
}

function canTell({ capabilities, delivery }: Session): boolean {
  return capabilities.resources?.subscribe === true && delivery === 'open';
}
