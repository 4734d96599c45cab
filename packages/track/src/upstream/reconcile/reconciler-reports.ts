// Reports of the reconciler of one server: errors and counts for the journal, the log and the metrics, and its progress
// for the listener, which shows it in the state of the server.
import type { ErrorReason } from '@tidings/client/contract';
import { describeError } from '../../connection/error/describe-error.ts';
import { SubscriptionReports } from '../../subscription/subscription-reports.ts';
import type { MissingSubscription } from '../../subscription/subscriptions.ts';
import type { ReconciledSession } from './reconciled-session.ts';
import type { ReconcilerDeps } from './reconciler-deps.ts';

type Counts = Parameters<ReconcilerDeps['reports']['counts']>[0];

export class ReconcilerReports {
  readonly #deps: ReconcilerDeps;
  readonly #subscriptions = new SubscriptionReports();

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
  }

  counts(counts: Counts): void {
    this.#deps.reports.counts(counts);
  }

  /** A run has failed, for the `failures`th time in a row. */
  failed(error: unknown, failures: number): void {
    this.#error('refresh', describeError(error), { failures });
    this.#deps.listener.troubled(describeError(error));
  }

  /** Reports the new ones among the missing subscriptions. `isWhole`: there are no others. */
  missing(missing: readonly MissingSubscription[], wanted: number, isWhole: boolean): void {
    for (const { error, uri } of this.#subscriptions.of(missing, wanted, isWhole)) {
      this.#error('subscribe', error, { uri });
    }
  }

  /** The URI is not wanted any more: its next refusal is reported again. */
  forget(uri: string): void {
    this.#subscriptions.forget(uri);
  }

  /** The server has no resources, which is reported once per session if it should have some. */
  withoutResources(current: ReconciledSession): void {
    const { listener, followed, expectsResources } = this.#deps;
    const isUnsupported = followed.listeners.isTracked && expectsResources();
    if (!isUnsupported) {
      listener.synced('');
    } else if (!current.isUnsupported) {
      const detail = 'The server has no resources to follow.';
      this.#error('unsupported', detail);
      listener.unsupported(detail);
    }
    current.isUnsupported = isUnsupported;
  }

  /** A run is done. Which resources are wanted of a tracked server is unknown before its first list. */
  done(current: ReconciledSession, counts: Counts, isListKnown: boolean): void {
    const { listener, followed } = this.#deps;
    this.counts(counts);
    const detail = current.describe(counts);
    if (isListKnown || !followed.listeners.isTracked) listener.synced(detail);
    else listener.troubled(detail);
  }

  #error(reason: ErrorReason, error: string, more: { uri?: string | undefined; failures?: number } = {}): void {
    const { reports, followed } = this.#deps;
    reports.error(reason, error, { ...more, isTracked: followed.listeners.isTracked });
  }
}
