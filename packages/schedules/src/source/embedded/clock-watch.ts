// Detects that the system date was set: it then differs from the monotonic clock.
import type { Clock } from '@tidings/live';

export class ClockWatch {
  readonly #clock: Clock;
  readonly #toleranceMs: number;
  #difference: number;

  constructor(clock: Clock, toleranceMs: number) {
    this.#clock = clock;
    this.#toleranceMs = toleranceMs;
    this.#difference = this.#now();
  }

  /** Whether the date jumped since the last call. Sleep of the machine is a jump, too. */
  hasJumped(): boolean {
    const before = this.#difference;
    this.#difference = this.#now();
    return Math.abs(this.#difference - before) > this.#toleranceMs;
  }

  #now(): number {
    return this.#clock.date() - this.#clock.now();
  }
}
