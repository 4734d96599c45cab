// Waits for a writer in another process without blocking this one: short attempts, with pauses of random length between
// them, so that two processes that collide do not collide again.
import type { Clock, LiveError } from '@tidings/live';
import { Backoff, delay, keepProcessAlive } from '@tidings/live/time';
import { isClosedConnection, sqliteCode } from './connection.ts';

const pauses = { firstMs: 1, longestMs: 50 };
const limitMs = 30_000;

export class BusyRetry {
  readonly #clock: Clock;
  readonly #explain: (error: unknown) => unknown;
  #end: LiveError | undefined;

  constructor(clock: Clock, explain: (error: unknown) => unknown) {
    this.#clock = clock;
    this.#explain = explain;
  }

  /** Tries until the database is free; other failures are thrown as `explain` words them. */
  async until<T>(attempt: () => T): Promise<T> {
    let waiting: { deadline: number; backoff: Backoff } | undefined;
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        if (this.#end && isClosedConnection(error)) throw this.#end;
        if (sqliteCode(error) !== 'SQLITE_BUSY') throw this.#explain(error);
        const now = this.#clock.now();
        waiting ??= { deadline: now + limitMs, backoff: new Backoff(pauses) };
        if (now > waiting.deadline) throw this.#explain(error);
      }
      await this.#pause(waiting.backoff.next());
      if (this.#end) throw this.#end;
    }
  }

  /** Keeps the process alive: the database may be the only thing that the program has opened. */
  async #pause(ms: number): Promise<void> {
    const alive = keepProcessAlive();
    await delay(this.#clock, ms);
    alive.cancel();
  }

  /** Ends all waiting. Attempts on the closed connection fail with `reason`. */
  end(reason: LiveError): void {
    this.#end ??= reason;
  }
}
