// Runs healing in the background, one run after the other, so that later changes of a server do not wait for it.
import type { Log } from '@tidings/live';
import { Serial } from '@tidings/live/time';
import type { FollowedResources } from './followed-resources.ts';
import type { HealingSession } from './healing.ts';

export class HealingQueue {
  readonly #followed: Pick<FollowedResources, 'heal'>;
  readonly #log: Log;
  readonly #runs = new Serial();

  constructor(followed: Pick<FollowedResources, 'heal'>, log: Log) {
    this.#followed = followed;
    this.#log = log;
  }

  /** Adds a run. It is skipped if its session has ended by then. */
  add(session: HealingSession): void {
    this.#runs
      .run(() => (session.isCurrent() ? this.#followed.heal(session) : undefined))
      .catch((error: unknown) => this.#log.error({ err: error }, 'Healing failed.'));
  }
}
