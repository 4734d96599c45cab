// How changes of a resource are noticed now: by a subscription that the server has confirmed, by polling, or not yet.
import type { MissingPolls } from './missing-polls.ts';
import type { ReconciledSession } from './reconciled-session.ts';

export class Coverage {
  readonly #current: () => ReconciledSession | undefined;
  readonly #polls: MissingPolls;

  /** `current`: undefined while the server is not connected. */
  constructor(current: () => ReconciledSession | undefined, polls: MissingPolls) {
    this.#current = current;
    this.#polls = polls;
  }

  /** Whether the server has confirmed the subscription and notifications can arrive. */
  isSubscribed(uri: string): boolean {
    return this.#current()?.isSubscribed(uri) === true;
  }

  /** Whether changes are notified or polled for. */
  isInForce(uri: string): boolean {
    return this.isSubscribed(uri) || (this.#current() !== undefined && this.#polls.has(uri));
  }

  /** Whether it is in force, and not only polled until the server answers the subscription. */
  isDecided(uri: string): boolean {
    return this.isInForce(uri) && this.#current()?.subscriptions.awaits(uri) === false;
  }

  of(uri: string): 'subscribed' | 'polled' | 'pending' {
    if (this.isSubscribed(uri)) return 'subscribed';
    return this.isInForce(uri) ? 'polled' : 'pending';
  }
}
