// What one kind of listener holds of a resource, as far as it can be known from here: listeners read again
// when they are told, so it is what the resource was at the last telling, or since.

/** A hash; `null` where listeners were told and hold what is not known; `undefined` where they never were. */
export type Known = string | null | undefined;

export class Told {
  #known: Known;
  /** What reads through the tracker returned since the last telling: one hash, or several. */
  #given: string | undefined;
  #isMixed = false;

  constructor(known: Known) {
    this.#known = known;
  }

  get known(): Known {
    return this.#known;
  }

  /** They were told. With a hash, that is what was found just before. */
  tell(hash: string | null = null): void {
    this.#known = hash;
    this.#given = undefined;
    this.#isMixed = false;
  }

  /** One of them, or any other client, was given this; `undefined` where the read failed. */
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
   * The resource was found to be this, and no change since the last telling can have gone unheard: so it is
   * what they hold, unless a read returned something else. Says whether that is news.
   */
  confirm(hash: string): boolean {
    if (typeof this.#known === 'string') {
      // Its notification is on its way.
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

  /** Whether nothing speaks against their holding this. */
  mayHold(hash: string): boolean {
    return this.#known === hash || (this.#known === undefined && this.#agreesWith(hash));
  }

  /** It is not known any more what they hold. */
  lose(): void {
    this.#known = null;
    this.#isMixed = true;
  }

  /** As if they had never been told, and had read nothing. */
  reset(): void {
    this.tell();
    this.#known = undefined;
  }

  #agreesWith(hash: string): boolean {
    return !this.#isMixed && (this.#given === undefined || this.#given === hash);
  }
}
