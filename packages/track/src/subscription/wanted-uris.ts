// The URIs wanted of one server: those it lists, if it is tracked, and those that are watched. Remembers which
// may have joined or left since the last update, so that one more watched URI among thousands costs only one.
import { onlyInFirst } from './only-in-first.ts';

export interface WantedSources {
  /** What the server lists, if all of it is wanted. */
  listed: ReadonlyMap<string, unknown> | undefined;
  watched: { has(uri: string): boolean; readonly uris: Iterable<string> };
}

export interface WantedChange {
  added: readonly string[];
  removed: readonly string[];
  /** Everything was compared, and whatever depends on it should be, too. */
  isWhole: boolean;
}

export class WantedUris {
  #uris = new Set<string>();
  readonly #touched = new Set<string>();
  #isWhole = true;

  get uris(): ReadonlySet<string> {
    return this.#uris;
  }

  /** This URI may have joined or left. */
  touch(uri: string): void {
    if (!this.#isWhole) this.#touched.add(uri);
  }

  /** Any URI may have joined or left, or the last run was not completed. */
  touchAll(): void {
    this.#isWhole = true;
    this.#touched.clear();
  }

  /** Compares with the sources. */
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
    return { added: onlyInFirst(this.#uris, before), removed: onlyInFirst(before, this.#uris) };
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
