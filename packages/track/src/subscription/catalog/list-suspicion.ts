// A server sends `list_changed` though its list is the same, or may have sent it while there was no stream: resources may have been missing for a moment, and
// many servers drop their subscriptions then. Now and then all resources of a short list are suspected of that.
import type { Clock, Timer } from '@tidings/live';

const mostSuspects = 100;
const everyMs = 10_000;

export class ListSuspicion {
  readonly #clock: Clock;
  readonly #again: () => void;
  #isAnnounced = false;
  /** Runs between two suspicions. */
  #pause: Timer | undefined;
  #isDue = false;

  /** `again` is called when the list should be read once more. */
  constructor(clock: Clock, again: () => void) {
    this.#clock = clock;
    this.#again = again;
  }

  /** The server has sent `list_changed`, or may have. */
  announce(): void {
    this.#isAnnounced = true;
  }

  /** The list was read. If it is unchanged, returns the URIs that may have been missing in between. */
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
