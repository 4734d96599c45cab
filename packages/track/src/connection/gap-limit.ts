// Messages that cannot be read may have been notifications, so each is a gap. A server that sends such things
// all the time must not be read again all the time: the first gap is told at once, those that follow together,
// after pauses that double from a second to a minute while they keep coming. After the last one there is one
// more: what damages messages may have damaged what was read in answer to the gap, too.
import type { Clock, Timer } from '@tidings/live';
import { backoffMs } from '@tidings/live/time';

const pauses = { firstMs: 1000, longestMs: 60_000 };
/** After so long without any, the pauses are short again. */
const quietMs = 120_000;

export class GapLimit {
  readonly #clock: Clock;
  readonly #gap: () => void;
  /** Gaps in a row that were told. */
  #gaps = 0;
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
    this.#timer = this.#clock.after(backoffMs(this.#gaps, pauses), () => {
      this.#timer = undefined;
      if (!this.#isRepeated) return this.#gap();
      this.#tell();
    });
  }
}
