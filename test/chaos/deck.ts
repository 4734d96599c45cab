// Deals faults in a random order, every kind once before any kind twice. The random numbers are used only here, so a
// seed gives the same order and durations on any machine.
import type { Fault } from './fault.ts';

export interface Drawn<Target> {
  fault: Fault<Target>;
  lastsMs: number;
}

export class Deck<Target> {
  readonly #faults: readonly Fault<Target>[];
  readonly #random: () => number;
  #pile: Fault<Target>[] = [];

  constructor(faults: readonly Fault<Target>[], random: () => number) {
    this.#faults = faults;
    this.#random = random;
  }

  /** The next fault that suits the target, if there is one. */
  draw(target: Target): Drawn<Target> | undefined {
    const fault = this.#take(target) ?? (this.#shuffle(), this.#take(target));
    const { from, to } = fault?.lastsMs ?? { from: 0, to: 0 };
    return fault && { fault, lastsMs: from + this.#random() * (to - from) };
  }

  #take(target: Target): Fault<Target> | undefined {
    const index = this.#pile.findIndex((fault) => fault.suits(target));
    return index < 0 ? undefined : this.#pile.splice(index, 1)[0];
  }

  #shuffle(): void {
    const keyed = this.#faults.map((fault) => ({ fault, key: this.#random() }));
    this.#pile = keyed.toSorted((a, b) => a.key - b.key).map(({ fault }) => fault);
  }
}
