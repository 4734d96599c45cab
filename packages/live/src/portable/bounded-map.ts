// Collections of limited size, which drop the oldest. Needs no Node.

/**
 * A map with at most `most` entries, in the order in which they were last set. One more drops the oldest.
 *
 * @example
 * const parsed = new BoundedMap<string, Template>(1000);
 * parsed.set(text, parse(text));
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;
  readonly #dropped: ((value: Value) => void) | undefined;

  /** `dropped` is called with each value that had to make room, after it was removed. */
  constructor(most: number, dropped?: (value: Value) => void) {
    super();
    this.#most = most;
    this.#dropped = dropped;
  }

  override set(key: Key, value: Value): this {
    // Without this, a known key would keep its place in the order.
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#most) this.#dropOldest();
    return this;
  }

  #dropOldest(): void {
    for (const [key, value] of this) {
      this.delete(key);
      this.#dropped?.(value);
      return;
    }
  }
}

/** A set with at most `most` values, in the order in which they were last added. One more drops the oldest. */
export class BoundedSet<Value> extends Set<Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override add(value: Value): this {
    // Without this, a known value would keep its place in the order.
    this.delete(value);
    super.add(value);
    if (this.size > this.#most) this.#dropOldest();
    return this;
  }

  #dropOldest(): void {
    for (const value of this) {
      this.delete(value);
      return;
    }
  }
}
