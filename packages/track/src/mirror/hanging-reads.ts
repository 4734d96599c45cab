// Which reads hang. Where the number of reads at a time is limited, these do not count any more: they must not delay the
// reads of other resources. Slow reads do count: a server that has too much to do must not get even more requests.
import type { Clock } from '@tidings/live';
import { endsWhile } from '@tidings/live/time';

/** A read may hang if it takes longer than this. */
const slowMs = 4000;
/** A read that ends sooner was not sent, for example because the resource is too large. */
const shortestMs = 1;

export class HangingReads {
  readonly #clock: Clock;
  /** How many reads may count as hanging although no later one has been answered. */
  readonly #most: number;
  /** Numbers of those reads. */
  readonly #doubtful = new Set<number>();
  #begun = 0;
  /** The number of the last begun read that has ended, and when one ended. */
  #newest = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  /**
   * Whether this read, which begins now, ends; false if it hangs. It does if it takes longer than four seconds and a
   * later one has ended before it, or none for as long.
   */
  ends(read: Promise<unknown>): Promise<boolean> {
    this.#begun += 1;
    const number = this.#begun;
    const began = this.#clock.now();
    return endsWhile(
      this.#clock,
      () => this.#leftMs(number, began),
      read.finally(() => this.#ended(number, began)),
    );
  }

  /** Asked again when this time is over. */
  #leftMs(number: number, began: number): number {
    const isOvertaken = number < this.#newest;
    if (!isOvertaken && this.#doubtful.size >= this.#most) return slowMs;
    const leftMs = (isOvertaken ? began : Math.max(began, this.#endedAt)) + slowMs - this.#clock.now();
    if (leftMs <= 0 && !isOvertaken) this.#doubtful.add(number);
    return leftMs;
  }

  #ended(number: number, began: number): void {
    if (this.#clock.now() - began < shortestMs) return;
    this.#newest = Math.max(this.#newest, number);
    this.#endedAt = this.#clock.now();
    for (const each of this.#doubtful) if (each <= number) this.#doubtful.delete(each);
  }
}
