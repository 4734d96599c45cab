// The last content of each resource that an agent was sent, to compute differences: bounded by characters, the least
// recently used is discarded first.

const mostCharacters = 4_000_000;

export class LastContents {
  readonly #texts = new Map<string, string>();
  #characters = 0;

  /** Keeps `text`, unless it alone exceeds the bound; returns the previous text. */
  replace(key: string, text: string): string | undefined {
    const before = this.#texts.get(key);
    this.forget(key);
    if (text.length > mostCharacters / 4) return before;
    this.#texts.set(key, text);
    this.#characters += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#characters <= mostCharacters) break;
      this.forget(oldest);
    }
    return before;
  }

  forget(key: string): void {
    this.#characters -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}
