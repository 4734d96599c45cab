// What hosts wait for that ignore notifications. They ask again and again: it stays watched for a while, so
// that nothing is missed between two questions, also where no server lists it.
import type { Clock, Timer } from '@tidings/live';
import type { Watches } from './watches.ts';

/** Longer than the longest wait and what a model takes to think about its answer. */
const keptMs = 10 * 60_000;
/** The oldest give way. */
const mostKept = 1000;

interface Kept {
  end: () => void;
  timer: Timer;
}

export class KeptWatches {
  readonly #watches: Watches;
  readonly #clock: Clock;
  /** The one that was asked for last is the last. */
  readonly #kept = new Map<string, Kept>();

  constructor(watches: Watches, clock: Clock) {
    this.#watches = watches;
    this.#clock = clock;
  }

  /** Resolves when it is watched, or will be once its server is back. */
  async keep(uri: string): Promise<void> {
    const before = this.#kept.get(uri);
    before?.timer.cancel();
    this.#kept.delete(uri);
    const end = before?.end ?? this.#watches.begin(uri);
    this.#kept.set(uri, { end, timer: this.#clock.after(keptMs, () => this.#drop(uri)) });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#drop(oldest);
    }
    if (before === undefined) await this.#watches.ready(uri);
  }

  #drop(uri: string): void {
    const kept = this.#kept.get(uri);
    this.#kept.delete(uri);
    kept?.timer.cancel();
    kept?.end();
  }
}
