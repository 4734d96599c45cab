// Runs healing in the background, one run after the other, so that later changes of a server do not wait for it.
import type { Log } from '@tidings/live';
import { Serial } from '@tidings/live/time';
import type { Healing, HealingSession } from './healing.ts';

export class HealingQueue {
  readonly #healing: Pick<Healing, 'run'>;
  readonly #log: Log;
  readonly #runs = new Serial();

  constructor(healing: Pick<Healing, 'run'>, log: Log) {
    this.#healing = healing;
    this.#log = log;
  }

  /** Adds a run. It is skipped if its session has ended by then. */
  add(session: HealingSession): void {
    this.#run(session).catch((error: unknown) => this.#log.error({ err: error }, 'Healing failed.'));
  }

  async #run(session: HealingSession): Promise<void> {
    const release = await this.#runs.acquire();
    try {
      if (session.isCurrent()) await this.#healing.run(session, release);
    } finally {
      release();
    }
  }
}
