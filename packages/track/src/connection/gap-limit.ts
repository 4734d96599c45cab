// A message that cannot be read may have been a notification, so each is a gap. A server that keeps sending such
// messages must not be read again all the time: the first gap is reported at once, later ones together, after
// pauses that double from a second to `longestMs` while they keep coming. One more follows the last: whatever
// damages messages may also have damaged the reads that the gap caused.
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
    // After so long without any, the pauses are short again.
    const isNew = this.#clock.now() - this.#reportedAt > 2 * this.#longestMs;
    this.#reportedAt = this.#clock.now();
    this.#isRepeated = true;
    if (this.#timer !== undefined) return;
    if (isNew) this.#gaps = 0;
    this.#tell();
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #tell(): void {
    this.#isRepeated = false;
    this.#gaps += 1;
    this.#gap();
    this.#timer = this.#clock.after(backoffMs(this.#gaps, { firstMs, longestMs: this.#longestMs }), () => {
      this.#timer = undefined;
      if (!this.#isRepeated) return this.#gap();
      this.#tell();
    });
  }
}
