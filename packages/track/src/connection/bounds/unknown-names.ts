// Reports notifications with unknown methods or resources as gaps, because they may have been damaged on the way. A
// name counts once: if it comes again, the server means it, and servers may send more than was subscribed to. A server
// with ever new names causes at most one gap in ten minutes.
import type { Clock } from '@tidings/live';
import { BoundedSet } from '@tidings/live/portable';
import { GapLimit } from './gap-limit.ts';

const longestMs = 600_000;
const maxNames = 1000;

export class UnknownNames {
  readonly #limit: GapLimit;
  /** In order of use, oldest first. */
  readonly #names = new BoundedSet<string>(maxNames);

  constructor(clock: Clock, gap: () => void) {
    this.#limit = new GapLimit(clock, gap, longestMs);
  }

  report(name: string): void {
    const isNew = !this.#names.has(name);
    this.#names.add(name);
    if (isNew) this.#limit.report();
  }

  stop(): void {
    this.#limit.stop();
  }
}
