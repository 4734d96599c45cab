// Merges changes of lists that follow each other: a scene is removed, then its sources. Clients read the whole list
// again each time, so they are notified once, a moment later.
import type { Clock, Timer } from '@tidings/live';

const mergeMs = 100;

export class ListChanges {
  readonly #clock: Clock;
  readonly #tell: () => void;
  #timer: Timer | undefined;

  constructor(clock: Clock, tell: () => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  changed(): void {
    this.#timer ??= this.#clock.after(mergeMs, () => {
      this.#timer = undefined;
      this.#tell();
    });
  }

  close(): void {
    this.#timer?.cancel();
  }
}
