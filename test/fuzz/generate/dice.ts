// Reproducible random numbers. Every case has its own generator, made from the seed and its number, so that it can run
// again alone.

export class Dice {
  #state: number;

  constructor(seed: number, number: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
  }

  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  chance(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000;
  }

  pick<T>(choices: readonly T[]): T {
    const [choice] = choices.slice(this.below(choices.length));
    if (choice === undefined) throw new RangeError('Nothing to choose from.');
    return choice;
  }

  /** Picks a function by weight and calls it. */
  among<T>(choices: readonly (readonly [weight: number, make: () => T])[]): T {
    let left = this.below(choices.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, make] of choices) {
      if (left < weight) return make();
      left -= weight;
    }
    throw new RangeError('Nothing to choose from.');
  }
}
