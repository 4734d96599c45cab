// The high-volume events that OBS is asked for: only those that a watched resource needs.

/** Bits of obs-websocket's event subscriptions. */
export const highVolume = { meters: 1 << 16, transforms: 1 << 19 } as const;

type HighVolume = (typeof highVolume)[keyof typeof highVolume];

export class EventInterest {
  readonly #counts = new Map<HighVolume, number>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get bits(): number {
    return [...this.#counts.keys()].reduce((bits, bit) => bits | bit, 0);
  }

  /** Returns a function that ends it. */
  add(bit: HighVolume): () => void {
    this.#count(bit, 1);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      this.#count(bit, -1);
    };
  }

  #count(bit: HighVolume, step: number): void {
    const before = this.bits;
    const count = (this.#counts.get(bit) ?? 0) + step;
    if (count === 0) this.#counts.delete(bit);
    else this.#counts.set(bit, count);
    if (this.bits !== before) this.#changed();
  }
}
