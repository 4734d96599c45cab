// A notification of an unknown method, or about an unknown resource, may be one that was damaged on the way: the
// first with a name counts as a gap. One that comes again is the server's own, as servers may send more than was
// asked for. A server that sends ever new names is read again at most every ten minutes.
import type { Clock } from '@tidings/live';
import { GapLimit } from './gap-limit.ts';

const longestMs = 600_000;
const maxNames = 1000;

export class UnknownNames {
  readonly #limit: GapLimit;
  /** Oldest first. */
  readonly #names = new Set<string>();

  constructor(clock: Clock, gap: () => void) {
    this.#limit = new GapLimit(clock, gap, longestMs);
  }

  report(name: string): void {
    const isNew = !this.#names.delete(name);
    this.#names.add(name);
    if (this.#names.size > maxNames) this.#names.delete(this.#names.keys().next().value ?? name);
    if (isNew) this.#limit.report();
  }

  stop(): void {
    this.#limit.stop();
  }
}
