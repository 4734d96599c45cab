// Keeps what is in force at one server equal to what is wanted of it: lists, follows, subscribes, polls
// and heals, over every session there is with it. Wanted is what it lists, if it is tracked, and what
// somebody watches.
import type { Clock, Timer } from '@tidings/live';
import { Backoff } from './backoff.ts';
import { describeError, isOutage } from './connection/describe-error.ts';
import type { Session } from './connection/session.ts';
import type { FollowedResources } from './followed-resources.ts';
import type { ErrorReason } from './journal/event.ts';
import type { Catalog } from './subscription/catalog.ts';
import { CatalogKeeper } from './subscription/catalog-keeper.ts';
import { difference } from './subscription/difference.ts';
import type { Interests } from './subscription/interests.ts';
import { LegacySubscriptions } from './subscription/legacy-subscriptions.ts';
import { ListSuspicion } from './subscription/list-suspicion.ts';
import { ModernSubscriptions } from './subscription/modern-subscriptions.ts';
import { NotifiedUris } from './subscription/notified-uris.ts';
import { Polling } from './subscription/polling.ts';
import { RefusalNews } from './subscription/refusal-news.ts';
import type { Refusal, Subscriptions } from './subscription/subscriptions.ts';
import { SyncLoop } from './subscription/sync-loop.ts';
import { Wanted, type WantedChange } from './subscription/wanted.ts';
import type { UpstreamReports } from './upstream-reports.ts';
import type { UpstreamSurroundings } from './upstream-surroundings.ts';

/** A listen stream that lasted this long may be opened again at once. */
const steadyStreamMs = 60_000;

export interface UpkeepOptions {
  serverId: string;
  surroundings: UpstreamSurroundings;
  followed: FollowedResources;
  interests: Interests;
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
  loop: SyncLoop;
  streamsSince: number;
  isRefused: boolean;
  /** Whether the server took subscriptions, and was able to tell of changes, when everything was last compared. */
  couldSubscribe: boolean;
  couldTell: boolean;
}

export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #clock: Clock;
  readonly #followed: FollowedResources;
  readonly #catalog: CatalogKeeper;
  readonly #polling: Polling;
  readonly #refusals = new RefusalNews();
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
  readonly #suspicion: ListSuspicion;
  #healing: Promise<void> = Promise.resolve();

  constructor(options: UpkeepOptions) {
    const { clock, random, remembered, settings } = options.surroundings;
    this.#options = options;
    this.#clock = clock;
    this.#followed = options.followed;
    const listed = [...remembered].flatMap(([uri, { isListed }]) => (isListed ? [uri] : []));
    this.#catalog = new CatalogKeeper(listed.length > 0 ? new Set(listed) : undefined, clock);
    this.#polling = new Polling({ look: (uri) => this.#followed.poll(uri), bounds: settings.poll, clock, random });
    this.#streamBackoff = new Backoff(random);
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

  get counts() {
    const { session, subscriptions } = this.#current ?? {};
    const subscribed = session?.delivery === 'open' ? (subscriptions?.active.size ?? 0) : 0;
    return { wanted: this.#wanted.uris.size, subscribed, polled: this.#polling.size };
  }

  begin(session: Session): void {
    const loop: SyncLoop = new SyncLoop({
      run: () => this.#synchronise(current),
      failed: (error, failures) => {
        // It is not known how much of it was done.
        this.#wanted.touchAll();
        // One request may fall victim to a connection that was just closed; two in a row are an outage.
        if (isOutage(error) && failures > 1) return session.fail(describeError(error));
        this.#report('refresh', describeError(error), { failures });
        this.#options.troubled(describeError(error));
      },
      clock: this.#clock,
      random: this.#options.surroundings.random,
    });
    const subscriptions =
      session.era === 'modern'
        ? new ModernSubscriptions(session, this.#clock, () => this.#streamEnded(current))
        : new LegacySubscriptions(session, this.#clock);
    const current: Current = {
      session,
      subscriptions,
      loop,
      streamsSince: this.#clock.now(),
      isRefused: false,
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

  async #synchronise(current: Current): Promise<'done' | 'incomplete'> {
    const { session, subscriptions } = current;
    const { interests, reports, synced } = this.#options;
    if (session.capabilities.resources === undefined) return this.#haveNoResources(current);
    const listed = await this.#catalog.refresh(session.client);
    this.#isListNew ||= listed === 'other';
    if (listed !== 'not asked') {
      this.#isListRead = true;
      this.#wanted.touchAll();
    }
    this.#options.lacks(this.catalog.missing);
    if (this.#current !== current) return 'done';
    const { isTracked } = this.#followed;
    const canSubscribe = session.capabilities.resources.subscribe === true && session.delivery !== 'none';
    const canTell = () => canSubscribe && session.delivery === 'open';
    if (canSubscribe !== current.couldSubscribe || canTell() !== current.couldTell) this.#wanted.touchAll();
    const change = this.#wanted.update({ listed: isTracked ? this.catalog.resources : undefined, watched: interests });
    const wanted = this.#wanted.uris;
    this.#follow(change);
    if (this.#isListRead) this.#relisted(subscriptions);
    this.#isListRead = false;
    session.expectNotifications(wanted.size > 0);
    const changed = change.isWhole ? undefined : [...change.added, ...change.removed];
    const refusals = await subscriptions.apply(canSubscribe ? wanted : new Set(), changed);
    if (this.#current !== current) return 'done';
    if (change.isWhole) {
      current.couldSubscribe = canSubscribe;
      current.couldTell = canTell();
    }
    this.#poll(change, current.couldTell, refusals);
    // Only now: whoever reads what is new must be told if it changes after that.
    if (change.isWhole) this.#tellList(isTracked);
    for (const { error, uri } of this.#refusals.of(refusals, wanted.size, change.isWhole)) {
      this.#report('subscribe', error, { uri });
    }
    this.#healSoon(current);
    this.#pollList(current);
    const [subscribed, polled] = [subscriptions.active.size, this.#polling.size];
    reports.counts({ wanted: wanted.size, subscribed, polled });
    synced(this.#describe(session, current.couldTell));
    if (subscribed + polled >= wanted.size) return 'done';
    this.#wanted.touchAll();
    return 'incomplete';
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

  #poll({ removed, isWhole, added }: WantedChange, canTell: boolean, refusals: readonly Refusal[]): void {
    const refused = refusals.filter(({ isTransient }) => !isTransient).map(({ uri }) => uri);
    if (isWhole) {
      const polled = canTell ? new Set(refused) : this.#wanted.uris;
      // What is polled no more may have changed between the last look and the subscription.
      for (const uri of this.#polling.uris) if (!polled.has(uri)) this.#followed.doubt(uri);
      return this.#polling.set(polled);
    }
    for (const uri of removed) this.#polling.delete(uri);
    for (const uri of canTell ? refused : added) this.#polling.add(uri);
  }

  /** Says what is listed now, and in the journal also that there was a time when it told of no changes. */
  #tellList(isTracked: boolean): void {
    const { serverId, surroundings, tellList } = this.#options;
    if (isTracked) {
      const change = this.#catalog.takeChange();
      if (change) surroundings.recorder.append({ type: 'list_changed', serverId, ...change });
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

  async #haveNoResources(current: Current): Promise<'done'> {
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
    return 'done';
  }

  /** In the background, one after the other: what changes meanwhile must not wait for it. */
  #healSoon(current: Current): void {
    const isCurrent = () => this.#current === current;
    this.#healing = this.#healing
      .then(() => (isCurrent() ? this.#followed.heal((uri) => this.isInForce(uri), isCurrent) : undefined))
      .catch((error: unknown) => this.#options.surroundings.log.error({ error }, 'Healing failed.'));
  }

  #streamEnded(current: Current): void {
    if (this.#current !== current) return;
    const isSteady = this.#clock.now() - current.streamsSince > steadyStreamMs;
    if (isSteady) this.#streamBackoff.reset();
    current.streamsSince = this.#clock.now();
    this.#followed.doubtAll();
    this.#clock.after(isSteady ? 0 : this.#streamBackoff.next(), () => {
      if (this.#current === current) this.doubt();
    });
  }

  /** A list that changes too often is read again later; a server that does not tell when its list changes is asked. */
  #pollList(current: Current): void {
    this.#listTimer?.cancel();
    const { dueMs } = this.#catalog;
    if (dueMs !== undefined) {
      this.#listTimer = this.#clock.after(dueMs, () => this.request());
      return;
    }
    if (current.session.capabilities.resources?.listChanged === true && current.session.delivery === 'open') return;
    this.#listTimer = this.#clock.after(this.#options.surroundings.settings.pollListMs, () => this.relist());
  }

  #report(reason: ErrorReason, error: string, more: { uri?: string | undefined; failures?: number } = {}): void {
    this.#options.reports.error(reason, error, { ...more, isTracked: this.#followed.isTracked });
  }

  #describe(session: Session, canTell: boolean): string {
    const { size } = this.#wanted.uris;
    if (size === 0) return '';
    if (session.delivery === 'pending')
      return `The stream of notifications is not open; ${size} resources are polled until it is.`;
    if (!canTell) return `The server cannot tell of changes; ${size} resources are polled.`;
    return this.#polling.size > 0 ? `${this.#polling.size} resources were refused and are polled.` : '';
  }
}
