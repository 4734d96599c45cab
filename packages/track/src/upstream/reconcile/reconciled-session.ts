// The part of the reconciler's state that belongs to one session and ends with it.
import type { Clock } from '@tidings/live';
import type { Session } from '../../connection/session/session.ts';
import type { CatalogKeeper } from '../../subscription/catalog/catalog-keeper.ts';
import { CatalogRefresh } from '../../subscription/catalog/catalog-refresh.ts';
import { ListenStreams } from '../../subscription/listen-streams.ts';
import { SubscribeRequests } from '../../subscription/subscribe-requests.ts';
import { missingSubscriptions } from '../../subscription/subscription-reports.ts';
import type { Subscriptions } from '../../subscription/subscriptions.ts';
import { SyncLoop } from '../../subscription/sync-loop.ts';

interface ReconciledSessionDeps {
  clock: Clock;
  random: () => number;
  /** How long the server may take to answer a subscription. */
  subscribeMs: number;
  catalog: CatalogKeeper;
}

export interface ReconciledSessionEvents {
  run(current: ReconciledSession): Promise<void>;
  /** A run or a list request has failed, for the `failures`th time in a row. */
  failed(current: ReconciledSession, error: unknown, failures: number): void;
  /** A subscription or a list was answered late, or not at all: another run is due. */
  answered(current: ReconciledSession): void;
  /** A listen stream in use has ended. */
  streamEnded(current: ReconciledSession): void;
  /** A replaced listen stream was cut off: its last notifications for these URIs are lost. */
  streamLost(current: ReconciledSession, uris: Iterable<string>): void;
}

export class ReconciledSession {
  readonly session: Session;
  readonly subscriptions: Subscriptions;
  readonly refresh: CatalogRefresh;
  readonly loop: SyncLoop;
  streamsSince: number;
  /** Whether it was reported that the server is tracked and has no resources. */
  isUnsupported = false;
  /** Whether `list_changed` could arrive since the last run. */
  notifiesLists = false;
  /** `canSubscribe` and `canNotify` when everything was last compared. */
  couldSubscribe = false;
  couldNotify = false;

  constructor(session: Session, deps: ReconciledSessionDeps, events: ReconciledSessionEvents) {
    const { catalog, clock, random, subscribeMs } = deps;
    const { client } = session;
    const failed = (error: unknown, failures: number) => events.failed(this, error, failures);
    const answered = () => events.answered(this);
    const subscriptionDeps = { clock, random, answerMs: subscribeMs, changed: answered };
    this.session = session;
    this.streamsSince = clock.now();
    this.subscriptions =
      session.era === 'modern'
        ? new ListenStreams(session, subscriptionDeps, {
            ended: () => events.streamEnded(this),
            lost: (uris) => events.streamLost(this, uris),
          })
        : new SubscribeRequests(session, subscriptionDeps);
    this.refresh = new CatalogRefresh({ client, catalog, clock, random, arrived: answered, failed });
    this.loop = new SyncLoop({ run: () => events.run(this), failed, clock, random });
  }

  get hasResources(): boolean {
    return this.session.capabilities.resources !== undefined;
  }

  /** Whether subscriptions are worth requesting. */
  get canSubscribe(): boolean {
    const { capabilities, delivery } = this.session;
    return capabilities.resources?.subscribe === true && delivery !== 'none';
  }

  /** Whether notifications can arrive now. */
  get canNotify(): boolean {
    const { capabilities, delivery } = this.session;
    return capabilities.resources?.subscribe === true && delivery === 'open';
  }

  isSubscribed(uri: string): boolean {
    return this.session.delivery === 'open' && this.subscriptions.active.has(uri);
  }

  get subscribed(): number {
    return this.session.delivery === 'open' ? this.subscriptions.active.size : 0;
  }

  /** Problems, for the status; empty if there are none. */
  describe({ wanted, polled }: { wanted: number; polled: number }): string {
    return [this.refresh.problem, ...this.#describeMissing(wanted, polled)].filter((part) => part !== '').join(' ');
  }

  end(): void {
    this.loop.stop();
    this.subscriptions.close();
  }

  #describeMissing(wanted: number, polled: number): string[] {
    if (wanted > 0 && this.session.delivery === 'pending')
      return [`The stream of notifications is not open; ${wanted} resources are polled until it is.`];
    if (wanted > 0 && !this.canNotify) return [`The server sends no notifications; ${wanted} resources are polled.`];
    if (polled === 0) return [];
    const { refused, unanswered } = this.subscriptions.missing;
    return [
      ...(refused > 0 ? [missingSubscriptions('refused', refused, wanted)] : []),
      ...(unanswered > 0 ? [missingSubscriptions('has not answered', unanswered, wanted)] : []),
    ];
  }
}
