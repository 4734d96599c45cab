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
import type { Interests } from './subscription/interests.ts';
import { LegacySubscriptions } from './subscription/legacy-subscriptions.ts';
import { ModernSubscriptions } from './subscription/modern-subscriptions.ts';
import { NotifiedUris } from './subscription/notified-uris.ts';
import { Polling } from './subscription/polling.ts';
import { RefusalNews } from './subscription/refusal-news.ts';
import type { Subscriptions } from './subscription/subscriptions.ts';
import { SyncLoop } from './subscription/sync-loop.ts';
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
  #wanted: ReadonlySet<string> = new Set();
  readonly #notified = new NotifiedUris((uri) => this.#wanted.has(uri));
  #needsHealing = true;
  /** It was asked for again, and who follows it has not been told. */
  #isListNew = false;
  /** Followed, and never read since. */
  #fresh = new Set<string>();
  #listTimer: Timer | undefined;
  #healing: Promise<void> = Promise.resolve();

  constructor(options: UpkeepOptions) {
    const { clock, random, remembered, settings } = options.surroundings;
    this.#options = options;
    this.#clock = clock;
    this.#followed = options.followed;
    this.#catalog = new CatalogKeeper(remembered.size > 0 ? new Set(remembered.keys()) : undefined, clock);
    this.#polling = new Polling({ look: (uri) => this.#followed.poll(uri), bounds: settings.poll, clock, random });
    this.#streamBackoff = new Backoff(random);
  }

  get catalog(): Catalog {
    return this.#catalog.catalog;
  }

  /** The URI the server uses for what agents are shown as `uri`. */
  spelling(uri: string): string {
    return this.#catalog.spelling(uri) ?? this.#options.interests.spelling(uri) ?? uri;
  }

  wants(uri: string): boolean {
    return this.#wanted.has(uri);
  }

  /** What is wanted of what a notification is about. */
  concernedBy(uri: string): string[] {
    return this.#notified.find(uri);
  }

  /** Whether the server has agreed to tell of it. */
  isSubscribed(uri: string): boolean {
    return this.#current?.subscriptions.active.has(uri) === true;
  }

  get counts() {
    const subscribed = [...this.#wanted].filter((uri) => this.isSubscribed(uri)).length;
    return { wanted: this.#wanted.size, subscribed, polled: this.#polling.size };
  }

  begin(session: Session): void {
    const loop: SyncLoop = new SyncLoop({
      run: () => this.#synchronise(current),
      failed: (error, failures) => {
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
        : new LegacySubscriptions(session);
    const current: Current = { session, subscriptions, loop, streamsSince: this.#clock.now(), isRefused: false };
    this.#current = current;
    this.#catalog.begin();
    this.doubt();
  }

  end(): void {
    this.#current?.loop.stop();
    this.#current?.subscriptions.close();
    this.#current = undefined;
    this.#polling.close();
    this.#followed.pause();
    this.#listTimer?.cancel();
    this.#options.reports.counts(this.counts);
  }

  /** What is wanted may have changed. */
  request(): void {
    this.#current?.loop.request();
  }

  /** Resolves when what is wanted now is in force, or will be once the server is back. */
  async requested(): Promise<void> {
    await this.#current?.loop.requested();
  }

  /** The list is not what it was. */
  relist(): void {
    this.#catalog.age();
    this.request();
  }

  /** Whether the server can tell of changes is not what it was. */
  deliveryChanged(): void {
    this.request();
  }

  /** Anything may have changed unheard. */
  doubt(): void {
    this.#needsHealing = true;
    this.relist();
  }

  async #synchronise(current: Current): Promise<'done' | 'incomplete'> {
    const { session, subscriptions } = current;
    const { interests, reports, serverId, surroundings, synced, tellList } = this.#options;
    const { isTracked } = this.#followed;
    if (session.capabilities.resources === undefined) return this.#haveNoResources(current);
    if (await this.#catalog.refresh(session.client)) this.#isListNew = true;
    this.#options.lacks(this.catalog.missing);
    if (this.#current !== current) return 'done';
    const wanted = new Set([...(isTracked ? this.catalog.resources.keys() : []), ...interests.uris]);
    this.#wanted = wanted;
    this.#notified.clear();
    for (const uri of wanted) this.#notified.add(uri);
    for (const uri of this.#followed.uris) if (!wanted.has(uri)) this.#followed.forget(uri);
    // Before they are subscribed to: an update may come sooner than the answer.
    for (const uri of this.#followed.follow(wanted)) this.#fresh.add(uri);
    session.expectNotifications(wanted.size > 0);
    const canSubscribe = session.capabilities.resources.subscribe === true && session.delivery !== 'none';
    const refusals = await subscriptions.apply(canSubscribe ? wanted : new Set());
    if (this.#current !== current) return 'done';
    const canTell = canSubscribe && session.delivery === 'open';
    const refused = new Set(refusals.filter(({ isTransient }) => !isTransient).map(({ uri }) => uri));
    this.#polling.set(canTell ? refused : wanted);
    // Only now: whoever reads what is new must be told if it changes after that.
    const change = this.#catalog.takeChange();
    if (change && isTracked) surroundings.append({ type: 'list_changed', serverId, ...change });
    if (this.#isListNew) tellList();
    this.#isListNew = false;
    for (const { error, uri } of this.#refusals.of(refusals, wanted.size)) this.#report('subscribe', error, { uri });
    this.#healSoon(current);
    this.#pollList(current);
    reports.counts(this.counts);
    synced(this.#describe(session, canTell));
    return subscriptions.active.size + this.#polling.size < wanted.size ? 'incomplete' : 'done';
  }

  async #haveNoResources(current: Current): Promise<'done'> {
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
    const fresh = this.#fresh;
    const uris = [...(this.#needsHealing ? this.#wanted : fresh)];
    this.#needsHealing = false;
    this.#fresh = new Set();
    if (uris.length === 0) return;
    const isCurrent = () => this.#current === current;
    this.#healing = this.#healing
      .then(() => (isCurrent() ? this.#followed.heal(uris, fresh, isCurrent) : undefined))
      .catch((error: unknown) => this.#options.surroundings.log.error({ error }, 'Healing failed.'));
  }

  #streamEnded(current: Current): void {
    if (this.#current !== current) return;
    const isSteady = this.#clock.now() - current.streamsSince > steadyStreamMs;
    if (isSteady) this.#streamBackoff.reset();
    current.streamsSince = this.#clock.now();
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
    if (this.#wanted.size === 0) return '';
    if (session.delivery === 'pending')
      return `The stream of notifications is not open; ${this.#wanted.size} resources are polled until it is.`;
    if (!canTell) return `The server cannot tell of changes; ${this.#wanted.size} resources are polled.`;
    return this.#polling.size > 0 ? `${this.#polling.size} resources were refused and are polled.` : '';
  }
}
