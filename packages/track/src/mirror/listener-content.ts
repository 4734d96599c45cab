// The content of a resource that one kind of listener holds, as far as the tracker can know. Listeners read again when
// they are told of a change, so they hold the content of that time, or a later one.

/** A hash; `null` if listeners were told and it is not known what they read; `undefined` if they were never told. */
export type KnownContent = string | null | undefined;

export class ListenerContent {
  #known: KnownContent;
  /** The hash that reads through the tracker have returned since listeners were last told. */
  #given: string | undefined;
  #isMixed = false;

  constructor(known: KnownContent) {
    this.#known = known;
  }

  get known(): KnownContent {
    return this.#known;
  }

  /** Listeners were told. `hash` is what a read found just before, if there was one. */
  tell(hash: string | null = null): void {
    this.#known = hash;
    this.#given = undefined;
    this.#isMixed = false;
  }

  /** A client was given this content; `undefined` if the read failed. */
  served(hash: string | undefined): void {
    if (typeof this.#known === 'string') {
      if (this.#known !== hash) this.lose();
    } else if (hash === undefined) {
      this.#isMixed = true;
    } else {
      this.#isMixed ||= this.#given !== undefined && this.#given !== hash;
      this.#given = hash;
    }
  }

  /**
   * A read found this, and no change can have been missed since listeners were last told: it is what they hold, unless
   * a client's read returned something else. Returns whether this was not known before.
   */
  confirm(hash: string): boolean {
    if (typeof this.#known === 'string') {
      // A notification for the difference is on its way.
      if (this.#known !== hash) this.lose();
      return false;
    }
    if (!this.#agreesWith(hash)) {
      this.lose();
      return false;
    }
    this.#known = hash;
    return true;
  }

  /** Whether listeners may hold this content. */
  mayHold(hash: string): boolean {
    return this.#known === hash || (this.#known === undefined && this.#agreesWith(hash));
  }

  /** What listeners hold is no longer known. */
  lose(): void {
    this.#known = null;
    this.#isMixed = true;
  }

  /** As if listeners had never been told anything and had read nothing. */
  reset(): void {
    this.tell();
    this.#known = undefined;
  }

  #agreesWith(hash: string): boolean {
    return !this.#isMixed && (this.#given === undefined || this.#given === hash);
  }
}
