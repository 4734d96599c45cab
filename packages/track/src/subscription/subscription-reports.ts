// Which missing subscriptions are reported: each refusal once, a few by name, and in one line if the server
// refuses all.
import type { MissingSubscription } from './subscriptions.ts';

const named = 20;

interface SubscriptionReport {
  error: string;
  uri?: string;
}

export class SubscriptionReports {
  #reported = new Map<string, string>();
  /** Requests without an answer were reported, and there have been some ever since. */
  #isUnansweredTold = false;

  /**
   * The new ones among these. `wanted` is the number of wanted URIs; `isWhole` means that there are no other missing
   * ones.
   */
  of(refusals: readonly MissingSubscription[], wanted: number, isWhole: boolean): SubscriptionReport[] {
    const lasting = refusals.filter(({ isTransient }) => !isTransient);
    const fresh = lasting.filter(({ uri, reason }) => this.#reported.get(uri) !== reason);
    if (isWhole) this.#reported = new Map();
    for (const { uri, reason } of lasting) this.#reported.set(uri, reason);
    const isAnyMissing = refusals.some(({ isTransient }) => isTransient);
    const unanswered = refusals.filter(({ isTransient, isPending }) => isTransient && isPending === undefined).length;
    const isFirst = unanswered > 0 && !this.#isUnansweredTold;
    if (isFirst) this.#isUnansweredTold = true;
    // A subscription that is requested again is still unanswered.
    else if (isWhole && !isAnyMissing) this.#isUnansweredTold = false;
    const news = isFirst ? [{ error: missingSubscriptions('has not answered', unanswered, wanted) }] : [];
    return [...news, ...refused(fresh, this.#reported.size, wanted)];
  }

  /** The URI is not requested any more. */
  forget(uri: string): void {
    this.#reported.delete(uri);
  }
}

export function missingSubscriptions(problem: 'refused' | 'has not answered', count: number, wanted: number): string {
  return `The server ${problem} ${count} of ${wanted} subscriptions; those resources are polled and subscribing is retried.`;
}

function refused(fresh: readonly MissingSubscription[], all: number, wanted: number): SubscriptionReport[] {
  if (fresh.length === 0) return [];
  if (all === wanted && wanted > 1) {
    return [{ error: `The server refused all ${wanted} subscriptions; the resources are polled instead.` }];
  }
  const rest = fresh.length - named;
  const byName = fresh.slice(0, named).map(({ uri, reason }) => ({ uri, error: reason }));
  return rest > 0 ? [...byName, { error: `The server refused ${rest} more subscriptions.` }] : byName;
}
