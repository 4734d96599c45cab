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
  #oldest: Iterator<[Key, Value]> | undefined;

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
    this.#oldest ??= keptBriefly(this.entries(), () => (this.#oldest = undefined));
    const { value, done } = this.#oldest.next();
    if (done) return;
    this.delete(value[0]);
    this.#dropped?.(value[1]);
  }
}

/** A set with at most `most` values, in the order in which they were last added. One more drops the oldest. */
export class BoundedSet<Value> extends Set<Value> {
  readonly #most: number;
  #oldest: Iterator<Value> | undefined;

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
    this.#oldest ??= keptBriefly(this.values(), () => (this.#oldest = undefined));
    const { value, done } = this.#oldest.next();
    if (!done) this.delete(value);
  }
}

/**
 * An iterator is at the oldest entry as long as all entries before it were dropped. A new one skips the places of dropped
 * entries, which in a large map takes longer than everything else, and one that is kept also keeps the memory of what the
 * map was. So it is kept until the present work awaits something.
 */
function keptBriefly<Entry>(entries: Iterator<Entry>, release: () => void): Iterator<Entry> {
  queueMicrotask(release);
  return entries;
}
