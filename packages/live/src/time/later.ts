// One delayed run of a task, for everything that happens until then.
import type { Timer } from './clock.ts';
import type { TimerSource } from './timeout.ts';

/**
 * Runs a task once, some time after the first of several requests.
 *
 * @example
 * const writing = new Later(systemClock, () => write(buffer.splice(0)));
 * writing.request(200);
 */
export class Later {
  readonly #clock: TimerSource;
  readonly #run: () => void;
  #timer: Timer | undefined;

  constructor(clock: TimerSource, task: () => void) {
    this.#clock = clock;
    this.#run = () => {
      // Before the task, so that it can request another run.
      this.#timer = undefined;
      task();
    };
  }

  /** Runs the task after `ms`, unless a run is due already. */
  request(ms: number): void {
    this.#timer ??= this.#clock.after(ms, this.#run);
  }

  /** No run is due any more. */
  cancel(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
