// A server says that its list changed, and the list is what it was: resources may have been gone for a moment,
// and many servers forget the subscriptions of what is gone. Any of a short list is suspected, now and then.
import type { Clock, Timer } from '@tidings/live';

const mostSuspects = 100;
const everyMs = 10_000;

export class ListSuspicion {
  readonly #clock: Clock;
  readonly #again: () => void;
  #isAnnounced = false;
  /** Runs while nothing is to be suspected. */
  #pause: Timer | undefined;
  #isDue = false;

  /** `again` is called when the list should be looked at once more. */
  constructor(clock: Clock, again: () => void) {
    this.#clock = clock;
    this.#again = again;
  }

  /** The server has said that its list changed. */
  announce(): void {
    this.#isAnnounced = true;
  }

  /** The list was read. Where it is what it was, says which of these may have been gone in between. */
  read(isOther: boolean, followed: ReadonlySet<string>): readonly string[] {
    const isSuspicious = this.#isAnnounced && !isOther && followed.size <= mostSuspects;
    this.#isAnnounced = false;
    if (!isSuspicious) return [];
    if (this.#pause !== undefined) {
      this.#isDue = true;
      return [];
    }
    this.#pause = this.#clock.after(everyMs, () => {
      this.#pause = undefined;
      if (!this.#isDue) return;
      this.#isDue = false;
      this.announce();
      this.#again();
    });
    return [...followed];
  }

  stop(): void {
    this.#pause?.cancel();
    this.#pause = undefined;
    this.#isDue = false;
  }
}
