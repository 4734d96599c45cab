// Messages that cannot be read may have been notifications, so each is a gap. A server that sends such things
// all the time must not be read again all the time: the first gap is told at once, those that follow together,
// after pauses that double from a second to a minute while they keep coming. After the last one there is one
// more: what damages messages may have damaged what was read in answer to the gap, too.
import type { Clock, Timer } from '@tidings/live';

const firstMs = 1000;
const longestMs = 60_000;
/** After so long without any, the pauses are short again. */
const quietMs = 120_000;

export class GapLimit {
  readonly #clock: Clock;
  readonly #gap: () => void;
  #pauseMs = firstMs;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #isRepeated = false;
  #timer: Timer | undefined;

  constructor(clock: Clock, gap: () => void) {
    this.#clock = clock;
    this.#gap = gap;
  }

  report(): void {
    const isNew = this.#clock.now() - this.#reportedAt > quietMs;
    this.#reportedAt = this.#clock.now();
    this.#isRepeated = true;
    if (this.#timer !== undefined) return;
    this.#pauseMs = isNew ? firstMs : Math.min(longestMs, this.#pauseMs * 2);
    this.#tell();
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #tell(): void {
    this.#isRepeated = false;
    this.#gap();
    this.#timer = this.#clock.after(this.#pauseMs, () => {
      this.#timer = undefined;
      if (!this.#isRepeated) return this.#gap();
      this.#pauseMs = Math.min(longestMs, this.#pauseMs * 2);
      this.#tell();
    });
  }
}
