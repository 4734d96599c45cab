// A map that the subjects of credentials share: its size is limited for each subject and for all together. In the order
// in which entries were last set; the oldest makes room.

interface SubjectMapLimits {
  ofSubject: number;
  together: number;
}

export class SubjectMap<Value> extends Map<string, Value> {
  readonly #limits: SubjectMapLimits;
  readonly #subjectOf: (value: Value) => string;
  readonly #counts = new Map<string, number>();

  constructor(limits: SubjectMapLimits, subjectOf: (value: Value) => string) {
    super();
    this.#limits = limits;
    this.#subjectOf = subjectOf;
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const subject = this.#subjectOf(value);
    const count = (this.#counts.get(subject) ?? 0) + 1;
    this.#counts.set(subject, count);
    if (count > this.#limits.ofSubject) this.#deleteOldest((each) => this.#subjectOf(each) === subject);
    if (this.size > this.#limits.together) this.#deleteOldest(() => true);
    return this;
  }

  override delete(key: string): boolean {
    const value = this.get(key);
    if (value === undefined) return false;
    const subject = this.#subjectOf(value);
    const left = (this.#counts.get(subject) ?? 1) - 1;
    if (left === 0) this.#counts.delete(subject);
    else this.#counts.set(subject, left);
    return super.delete(key);
  }

  override clear(): void {
    this.#counts.clear();
    super.clear();
  }

  #deleteOldest(isMeant: (value: Value) => boolean): void {
    for (const [key, value] of this) {
      if (!isMeant(value)) continue;
      this.delete(key);
      return;
    }
  }
}
