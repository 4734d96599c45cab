// Healing runs in the background, one run after the other: later changes of a server must not wait for it.
import type { Log } from '@tidings/live';
import type { FollowedResources } from './followed-resources.ts';
import type { HealingSession } from './healing.ts';

export class HealingQueue {
  readonly #followed: Pick<FollowedResources, 'heal'>;
  readonly #log: Log;
  #last: Promise<void> = Promise.resolve();

  constructor(followed: Pick<FollowedResources, 'heal'>, log: Log) {
    this.#followed = followed;
    this.#log = log;
  }

  /** A run whose session has ended by its turn is left out. */
  add(session: HealingSession): void {
    this.#last = this.#last
      .then(() => (session.isCurrent() ? this.#followed.heal(session) : undefined))
      .catch((error: unknown) => this.#log.error({ err: error }, 'Healing failed.'));
  }
}
