// Connections that were idle for a while are tested before they are used: on one whose peer vanished, a query would
// wait for the longest timeout.
import type { Clock } from '@tidings/live';
import type { PoolClient } from 'pg';
import { withinMs } from './within-ms.ts';

const restMs = 2000;
const answerMs = 2000;

export class RestedClients {
  readonly #clock: Clock;
  readonly #restedSince = new WeakMap<PoolClient, number>();
  /** If one connection is dead, others that were idle at the same time are, too. */
  #deadBefore = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  rest(client: PoolClient): void {
    this.#restedSince.set(client, this.#clock.now());
  }

  async isAlive(client: PoolClient): Promise<boolean> {
    const since = this.#restedSince.get(client);
    // A new connection needs no test.
    if (since === undefined) return true;
    if (since < this.#deadBefore) return false;
    const now = this.#clock.now();
    if (now - since < restMs) return true;
    try {
      await withinMs(answerMs, client.query('select'), this.#clock);
      return true;
    } catch {
      this.#deadBefore = now;
      return false;
    }
  }
}
