// Connections that were idle for a while are tested before they are used: on one whose peer vanished, a query would
// wait for the longest timeout.
import type { Clock } from '@tidings/live';
import type { PoolClient } from 'pg';
import { withinMs } from './within-ms.ts';

const idleMs = 2000;
const answerMs = 2000;

export class IdleClients {
  readonly #clock: Clock;
  readonly #idleSince = new WeakMap<PoolClient, number>();
  /** If one connection is dead, others that were idle at the same time are, too. */
  #deadBefore = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  released(client: PoolClient): void {
    this.#idleSince.set(client, this.#clock.now());
  }

  async isAlive(client: PoolClient): Promise<boolean> {
    const since = this.#idleSince.get(client);
    // A new connection needs no test.
    if (since === undefined) return true;
    if (since < this.#deadBefore) return false;
    const now = this.#clock.now();
    if (now - since < idleMs) return true;
    try {
      await withinMs(answerMs, client.query('select'), this.#clock);
      return true;
    } catch {
      this.#deadBefore = now;
      return false;
    }
  }
}
