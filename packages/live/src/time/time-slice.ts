// Makes a long loop yield: after a few milliseconds of work, it waits until other events were handled. Awaiting
// resolved promises is not enough, since their callbacks run before any timer or socket.
import type { Clock } from './clock.ts';

const usualMs = 10;

/**
 * Makes a long loop yield to other events after a few milliseconds. Default: 10.
 *
 * @example
 * const slice = new TimeSlice(systemClock);
 * for (const row of rows) {
 *   convert(row);
 *   await slice.pause();
 * }
 */
export class TimeSlice {
  readonly #clock: Clock;
  readonly #ms: number;
  #since: number;
  #pause: Promise<void> | undefined;

  constructor(clock: Clock, ms = usualMs) {
    this.#clock = clock;
    this.#ms = ms;
    this.#since = clock.now();
  }

  get isOver(): boolean {
    return this.#clock.now() - this.#since >= this.#ms;
  }

  /** Undefined while the slice lasts; then a promise to await, after which the next slice begins. */
  pause(): Promise<void> | undefined {
    if (this.#pause === undefined && !this.isOver) return undefined;
    this.#pause ??= new Promise((resolve) => {
      this.#clock.defer(() => {
        this.#pause = undefined;
        this.#since = this.#clock.now();
        resolve();
      });
    });
    return this.#pause;
  }
}
