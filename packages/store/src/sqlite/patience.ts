// Waiting for a writer in another process, without blocking this one: short attempts, and pauses of
// random length between them, so that two that collide do not collide again.
import type { Clock, LiveError } from '@tidings/live';
import { isClosedConnection, sqliteCode } from './connection.ts';

const pauseMs = { first: 1, longest: 50 };
const limitMs = 30_000;

export class Patience {
  readonly #clock: Clock;
  readonly #explain: (error: unknown) => unknown;
  #end: LiveError | undefined;

  constructor(clock: Clock, explain: (error: unknown) => unknown) {
    this.#clock = clock;
    this.#explain = explain;
  }

  /** Tries until the database is free; other failures are thrown as `explain` words them. */
  async until<T>(attempt: () => T): Promise<T> {
    const deadline = this.#clock.now() + limitMs;
    let pause = pauseMs.first;
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        if (this.#end && isClosedConnection(error)) throw this.#end;
        if (sqliteCode(error) !== 'SQLITE_BUSY' || this.#clock.now() > deadline) throw this.#explain(error);
      }
      await new Promise<void>((resolve) => void this.#clock.after(pause * (0.5 + Math.random()), resolve));
      if (this.#end) throw this.#end;
      pause = Math.min(pause * 2, pauseMs.longest);
    }
  }

  /** From now on nobody waits, and whoever finds the connection closed is told why. */
  end(reason: LiveError): void {
    this.#end ??= reason;
  }
}
