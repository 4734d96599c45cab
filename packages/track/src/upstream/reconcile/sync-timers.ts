// Starts runs of the reconciler by time: to read the list, or to retry subscriptions.
import type { Clock, Timer } from '@tidings/live';
import type { ReconciledSession } from './reconciled-session.ts';

interface SyncTimersDeps {
  clock: Clock;
  /** How often a list is read whose changes are not notified. */
  pollListMs: number;
  request(this: void): void;
  relist(this: void): void;
}

export class SyncTimers {
  readonly #deps: SyncTimersDeps;
  #list: Timer | undefined;
  #retry: Timer | undefined;

  constructor(deps: SyncTimersDeps) {
    this.#deps = deps;
  }

  set(current: ReconciledSession): void {
    const { clock, request } = this.#deps;
    this.cancel();
    this.#list = this.#startList(current);
    const { retryMs } = current.subscriptions;
    if (retryMs !== undefined) this.#retry = clock.after(retryMs, request);
  }

  cancel(): void {
    this.#list?.cancel();
    this.#retry?.cancel();
  }

  #startList({ refresh, session, subscriptions }: ReconciledSession): Timer | undefined {
    const { clock, pollListMs, request, relist } = this.#deps;
    // The list is out of date, and may not be read before `dueMs` have passed.
    if (refresh.dueMs !== undefined) return clock.after(refresh.dueMs, request);
    const isNotified = session.capabilities.resources?.listChanged === true && session.delivery === 'open';
    return isNotified && subscriptions.notifiesLists ? undefined : clock.after(pollListMs, relist);
  }
}
