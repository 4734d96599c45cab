// What is wanted of one server: what it lists, if it is tracked, and what is watched. It knows which URIs may
// have joined or left since the last time, so that one that is watched among thousands costs no more than one.
import { difference } from './difference.ts';

export interface WantedSources {
  /** What the server lists, where all of that is wanted. */
  listed: ReadonlyMap<string, unknown> | undefined;
  watched: { has(uri: string): boolean; readonly uris: Iterable<string> };
}

export interface WantedChange {
  added: readonly string[];
  removed: readonly string[];
  /** Everything was compared, and everything that depends on it should be. */
  isWhole: boolean;
}

export class Wanted {
  #uris = new Set<string>();
  readonly #touched = new Set<string>();
  #isWhole = true;

  get uris(): ReadonlySet<string> {
    return this.#uris;
  }

  /** This one may have joined or left. */
  touch(uri: string): void {
    if (!this.#isWhole) this.#touched.add(uri);
  }

  /** Any may have joined or left, or what was brought about is not certain. */
  touchAll(): void {
    this.#isWhole = true;
    this.#touched.clear();
  }

  /** Brings it up to date. */
  update(sources: WantedSources): WantedChange {
    const isWhole = this.#isWhole;
    const change = isWhole ? this.#compareAll(sources) : this.#compareTouched(sources);
    this.#touched.clear();
    this.#isWhole = false;
    return { ...change, isWhole };
  }

  #compareAll({ listed, watched }: WantedSources): Omit<WantedChange, 'isWhole'> {
    const before = this.#uris;
    this.#uris = new Set(listed?.keys());
    for (const uri of watched.uris) this.#uris.add(uri);
    return { added: difference(this.#uris, before), removed: difference(before, this.#uris) };
  }

  #compareTouched({ listed, watched }: WantedSources): Omit<WantedChange, 'isWhole'> {
    const isWanted = (uri: string) => listed?.has(uri) === true || watched.has(uri);
    const added = [...this.#touched].filter((uri) => !this.#uris.has(uri) && isWanted(uri));
    const removed = [...this.#touched].filter((uri) => this.#uris.has(uri) && !isWanted(uri));
    for (const uri of added) this.#uris.add(uri);
    for (const uri of removed) this.#uris.delete(uri);
    return { added, removed };
  }
}
