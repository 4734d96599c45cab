// Passes a server's progress on to the caller: the first notifications at once, then the latest one ten times a second.
// Without this limit, a server that reports every step to a slow caller would fill the memory.
import type { Progress } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '@tidings/live';
import { startOf } from '@tidings/live/portable';

/** How many notifications are sent at once; most calls have no more. */
const passedAtOnce = 20;
const everyMs = 100;
const longestMessage = 1000;
/** Characters of JSON of members that the protocol leaves to the two sides, such as `_meta`. */
const longestOthers = 4000;

export class ProgressRelay {
  readonly #clock: Clock;
  readonly #send: (progress: Progress) => void;
  #latest: Progress | undefined;
  #timer: Timer | undefined;
  #passed = 0;

  constructor(clock: Clock, send: (progress: Progress) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  push(progress: Progress): void {
    this.#latest = progress;
    this.#passed += 1;
    if (this.#passed <= passedAtOnce) this.#sendLatest(progress);
    else if (this.#timer === undefined) this.#pass();
  }

  /** Call it when the call has ended: sends the last progress before the result. */
  end(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#latest !== undefined) this.#sendLatest(this.#latest);
  }

  #pass(): void {
    this.#timer = undefined;
    if (this.#latest === undefined) return;
    this.#sendLatest(this.#latest);
    this.#timer = this.#clock.after(everyMs, () => this.#pass());
  }

  #sendLatest(progress: Progress): void {
    this.#latest = undefined;
    const { progress: done, total, message, ...others } = progress;
    this.#send({
      ...(JSON.stringify(others).length <= longestOthers && others),
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: startOf(message, longestMessage) }),
    });
  }
}
