// Synthetic subscriptions: resources nobody tells us about are looked at, as often as their own `ttlMs`
// says, within bounds and never all at once.
import type { Clock, Timer } from '@tidings/live';

export interface PollBounds {
  /** Where the server does not say how long an answer holds. */
  usualMs: number;
  shortestMs: number;
  longestMs: number;
}

export interface PollingOptions {
  /** Looks at the resource; resolves with how long the answer holds, if it says. Never rejects. */
  look(this: void, uri: string): Promise<number | undefined>;
  bounds: PollBounds;
  clock: Clock;
  random: () => number;
}

export class Polling {
  readonly #options: PollingOptions;
  readonly #timers = new Map<string, Timer>();

  constructor(options: PollingOptions) {
    this.#options = options;
  }

  get uris(): ReadonlySet<string> {
    return new Set(this.#timers.keys());
  }

  get size(): number {
    return this.#timers.size;
  }

  has(uri: string): boolean {
    return this.#timers.has(uri);
  }

  set(uris: ReadonlySet<string>): void {
    for (const [uri, timer] of this.#timers) {
      if (uris.has(uri)) continue;
      timer.cancel();
      this.#timers.delete(uri);
    }
    for (const uri of uris) if (!this.#timers.has(uri)) this.#wait(uri, undefined);
  }

  close(): void {
    this.set(new Set());
  }

  #wait(uri: string, ttlMs: number | undefined): void {
    const { bounds, clock, random } = this.#options;
    const wanted = ttlMs === undefined || ttlMs <= 0 ? bounds.usualMs : ttlMs;
    const bounded = Math.min(bounds.longestMs, Math.max(bounds.shortestMs, wanted));
    const timer = clock.after(bounded * (0.9 + random() * 0.2), () => {
      void this.#options.look(uri).then((ttl) => {
        // Unless it was left out, or begun anew, in the meantime.
        if (this.#timers.get(uri) === timer) this.#wait(uri, ttl);
      });
    });
    this.#timers.set(uri, timer);
  }
}
