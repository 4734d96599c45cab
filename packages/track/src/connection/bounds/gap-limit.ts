// Limits how often gaps are reported. An unreadable message may have been a notification, so each is a gap, after which
// resources are read again. A server that keeps sending such messages must not cause reads all the time: the first gap
// is reported at once, later ones together, after pauses that double from a second to `longestMs`. One more gap is
// reported after the last: the reads that a gap caused may have been damaged as well.
import type { Clock, Timer } from '@tidings/live';
import { backoffMs } from '@tidings/live/time';

const firstMs = 1000;

export class GapLimit {
  readonly #clock: Clock;
  readonly #gap: () => void;
  readonly #longestMs: number;
  /** Gaps reported in a row. */
  #gaps = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #isRepeated = false;
  #timer: Timer | undefined;

  constructor(clock: Clock, gap: () => void, longestMs = 60_000) {
    this.#clock = clock;
    this.#gap = gap;
    this.#longestMs = longestMs;
  }

  report(): void {
    // After a long time without gaps, the pauses are short again.
    const isNew = this.#clock.now() - this.#reportedAt > 2 * this.#longestMs;
    this.#reportedAt = this.#clock.now();
    this.#isRepeated = true;
    if (this.#timer !== undefined) return;
    if (isNew) this.#gaps = 0;
    this.#reportGap();
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #reportGap(): void {
    this.#isRepeated = false;
    this.#gaps += 1;
    this.#gap();
    this.#timer = this.#clock.after(backoffMs(this.#gaps, { firstMs, longestMs: this.#longestMs }), () => {
      this.#timer = undefined;
      if (!this.#isRepeated) return this.#gap();
      this.#reportGap();
    });
  }
}
