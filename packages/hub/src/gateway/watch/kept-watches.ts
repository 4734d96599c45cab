// Keeps the URIs of recent `wait_for_change` calls watched. Hosts call it repeatedly, so no change between two calls is
// missed, even of unlisted resources.
import type { Clock, Timer } from '@tidings/live';
import { BoundedMap } from '@tidings/live/portable';
import { every } from '@tidings/live/time';
import type { Watch } from '@tidings/live/internal';
import type { Watches } from './watches.ts';

/** How long a URI is kept: longer than a model takes until its next call. A longer call renews it. */
const keptMs = 10 * 60_000;
const sweepMs = 60_000;
/** URIs per subject; the oldest are dropped. */
export const mostKept = 1000;

interface KeptWatch {
  watch: Required<Watch>;
  until: number;
}

export class KeptWatches {
  readonly #watches: Watches;
  readonly #clock: Clock;
  /** The watches by subject, so that callers do not displace each other's URIs; the most recently used is the last. */
  readonly #kept = new Map<string, Map<string, KeptWatch>>();
  #sweeping: Timer | undefined;

  constructor(watches: Watches, clock: Clock) {
    this.#watches = watches;
    this.#clock = clock;
  }

  /** Resolves when the URI is watched, or will be once its server is available again. */
  async keep(subject: string, uri: string): Promise<void> {
    const kept = this.#kept.get(subject) ?? new BoundedMap<string, KeptWatch>(mostKept, ({ watch }) => watch.end());
    this.#kept.set(subject, kept);
    const before = kept.get(uri);
    const watch = before?.watch ?? this.#watches.begin(uri);
    kept.set(uri, { watch, until: this.#clock.now() + keptMs });
    this.#sweeping ??= every(this.#clock, sweepMs, () => this.#sweep());
    if (before === undefined) await watch.ready;
  }

  #sweep(): void {
    const now = this.#clock.now();
    for (const [subject, kept] of this.#kept) {
      for (const [uri, { watch, until }] of kept) {
        if (until > now) break;
        watch.end();
        kept.delete(uri);
      }
      if (kept.size === 0) this.#kept.delete(subject);
    }
    if (this.#kept.size > 0) return;
    this.#sweeping?.cancel();
    this.#sweeping = undefined;
  }
}
