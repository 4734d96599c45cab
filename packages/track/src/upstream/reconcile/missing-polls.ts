// Polls every wanted resource whose subscription is not in force.
import { onlyInFirst } from '../../subscription/only-in-first.ts';
import { type PollBounds, Polling } from '../../subscription/polling.ts';
import type { MissingSubscription } from '../../subscription/subscriptions.ts';
import type { WantedChange, WantedUris } from '../../subscription/wanted-uris.ts';
import type { FollowedResources } from '../follow/followed-resources.ts';
import type { ReconciledSession } from './reconciled-session.ts';
import type { UpstreamDeps } from '../upstream-deps.ts';

export class MissingPolls {
  readonly #polling: Polling;
  readonly #wanted: WantedUris;
  readonly #followed: FollowedResources;

  constructor(
    { clock, random, settings }: Pick<UpstreamDeps, 'clock' | 'random'> & { settings: { poll: PollBounds } },
    wanted: WantedUris,
    followed: FollowedResources,
  ) {
    this.#wanted = wanted;
    this.#followed = followed;
    this.#polling = new Polling({ read: (uri) => followed.checks.poll(uri), bounds: settings.poll, clock, random });
  }

  get size(): number {
    return this.#polling.size;
  }

  has(uri: string): boolean {
    return this.#polling.has(uri);
  }

  /** Call it after a run. `missing` includes subscriptions that were lost with a replaced stream. */
  update(current: ReconciledSession, change: WantedChange, missing: readonly MissingSubscription[]): void {
    if (change.isWhole) return this.updateAll(current);
    for (const uri of change.removed) this.#polling.delete(uri);
    for (const uri of [...change.added, ...missing.map((each) => each.uri)]) {
      if (this.#wanted.uris.has(uri) && !current.isSubscribed(uri)) this.#polling.add(uri);
    }
  }

  updateAll(current: ReconciledSession): void {
    const { uris } = this.#wanted;
    const missing = current.canNotify ? new Set(onlyInFirst(uris, current.subscriptions.active)) : uris;
    // A resource may have changed between its last poll and its subscription.
    for (const uri of this.#polling.uris) if (!missing.has(uri)) this.#followed.doubt(uri);
    this.#polling.set(missing);
  }

  close(): void {
    this.#polling.close();
  }
}
