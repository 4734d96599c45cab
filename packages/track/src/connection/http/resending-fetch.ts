// Sends requests again whose connection turns out to be dead. A network may forget connections without a sign;
// what was sent on one of them would wait for its answer until it is given up, half a minute later. Only
// requests that may be answered twice are sent again, and only when there is reason to.
import type { Clock } from '@tidings/live';
import { isRepeatable } from '../repeatable.ts';

interface Waiting {
  sentAt: number;
  again(this: void): void;
}

export class ResendingFetch {
  readonly #base: typeof fetch;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();

  constructor(base: typeof fetch, clock: Clock) {
    this.#base = base;
    this.#clock = clock;
  }

  readonly fetch: typeof fetch = (input, init) =>
    isRepeatable(methodOf(init)) ? this.#send(input, init ?? {}) : this.#base(input, init);

  /** Sends again what was sent before this time and has no answer. */
  renew(before: number): void {
    for (const { sentAt, again } of this.#waiting) if (sentAt < before) again();
  }

  async #send(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
    for (;;) {
      const own = new AbortController();
      const abort = () => own.abort(init.signal?.reason);
      if (init.signal?.aborted === true) abort();
      init.signal?.addEventListener('abort', abort, { once: true });
      let isRenewed = false;
      const waiting: Waiting = {
        sentAt: this.#clock.now(),
        again: () => {
          isRenewed = true;
          own.abort();
        },
      };
      this.#waiting.add(waiting);
      try {
        // The listener stays until the body has been read: whoever sent the request may still end it.
        return await this.#base(input, { ...init, signal: own.signal });
      } catch (error) {
        init.signal?.removeEventListener('abort', abort);
        if (!isRenewed || init.signal?.aborted === true) throw error;
      } finally {
        this.#waiting.delete(waiting);
      }
    }
  }
}

/** The SDK writes the method first. */
function methodOf(init: RequestInit | undefined): string {
  if (typeof init?.body !== 'string') return '';
  return /^\{"method":"([^"]+)"/.exec(init.body)?.[1] ?? '';
}
