// Waiting for a writer in another process, without blocking this one: short attempts, and pauses of
// random length between them, so that two that collide do not collide again.
import type { Clock } from '@tidings/live';
import { databaseError } from '../database-error.ts';
import { sqliteCode } from './connection.ts';

const pauseMs = { first: 1, longest: 50 };
const limitMs = 30_000;

export class Patience {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Tries until the database is free; other failures are thrown as `explain` words them. */
  async until<T>(attempt: () => Promise<T>, explain: (error: unknown) => unknown): Promise<T> {
    const deadline = this.#clock.now() + limitMs;
    let pause = pauseMs.first;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (sqliteCode(error) !== 'SQLITE_BUSY') throw explain(error);
        if (this.#clock.now() > deadline) {
          throw databaseError('The database has been busy for half a minute: another process holds it.', error);
        }
      }
      await new Promise<void>((resolve) => void this.#clock.after(pause * (0.5 + Math.random()), resolve));
      pause = Math.min(pause * 2, pauseMs.longest);
    }
  }
}
