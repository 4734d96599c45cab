// Changes of a list often come in twos and threes: a scene is removed, and then what was in it. Clients read the whole
// list again each time, so they are told a moment later, once.
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
