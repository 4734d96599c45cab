// A server sends `list_changed` more often than its list is found changed, or may have sent it while there was no
// stream: resources may have been missing for a moment, and many servers drop their subscriptions then. So all
// subscribed resources are treated as if they had returned, some of them at a time.
import type { Clock, Timer } from '@tidings/live';

const mostAtOnce = 100;
const everyMs = 10_000;

export class MissedListChanges {
  readonly #clock: Clock;
  readonly #due: () => void;
  /** How often the server may have changed its list since it was last read. */
  #announced = 0;
  readonly #candidates = new Set<string>();
  /** Runs after some were taken. */
  #pause: Timer | undefined;

  /** `due` is called when more resources can be taken. */
  constructor(clock: Clock, due: () => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** The server has sent `list_changed`. */
  announce(): void {
    this.#announced += 1;
  }

  /** The server may have sent `list_changed` any number of times. */
  miss(): void {
    this.#announced = Number.POSITIVE_INFINITY;
  }

  /** The list was read. `isOther`: it differs from the last one, which explains one announcement. */
  read(isOther: boolean, subscribed: Iterable<string>): void {
    const explained = isOther ? 1 : 0;
    if (this.#announced > explained) for (const uri of subscribed) this.#candidates.add(uri);
    this.#announced = 0;
  }

  /** The resources that may have been missing in between, a few at a time. */
  take(): string[] {
    if (this.#pause !== undefined || this.#candidates.size === 0) return [];
    const taken = [...this.#candidates].slice(0, mostAtOnce);
    for (const uri of taken) this.#candidates.delete(uri);
    this.#pause = this.#clock.after(everyMs, () => {
      this.#pause = undefined;
      if (this.#candidates.size > 0) this.#due();
    });
    return taken;
  }

  stop(): void {
    this.#pause?.cancel();
    this.#pause = undefined;
    this.#candidates.clear();
  }
}
