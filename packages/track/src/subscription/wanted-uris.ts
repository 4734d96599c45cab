// The URIs wanted of one server: those it lists, if it is tracked, and those that are watched. Remembers which
// may have joined or left since the last update, so that one more watched URI among thousands costs only one.
//
// It also finds the wanted URIs that a notification is about. A server may spell a URI differently from the
// subscription, and may name a sub-resource of what was subscribed to, which the protocol allows.
//
//   wanted raw://r/1    notified raw://r/1, RAW://r/1, raw://r/%31, raw://r/1/part, raw://r/1?page=2
//
// All spellings of a URI are found; of a sub-resource, the nearest wanted URI above it.
import { canonicalSpelling, foldHost, partsAbove } from './canonical-spelling.ts';
import { onlyInFirst } from './only-in-first.ts';

export interface WantedSources {
  /** The resources that the server lists, if all of them are wanted. */
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
  /** Wanted URIs by their canonical spelling, if that differs from the URI itself. */
  readonly #byPlain = new Map<string, Set<string>>();
  /** The same with the host in lower case, for servers that change it. */
  readonly #byFolded = new Map<string, Set<string>>();
  readonly #touched = new Set<string>();
  #isWhole = true;

  get uris(): ReadonlySet<string> {
    return this.#uris;
  }

  /** The wanted URIs that a notification with this URI is about. */
  concernedBy(notified: string): string[] {
    // All wanted URIs are canonical, so this one has no other spelling.
    if (this.#byPlain.size === 0 && this.#uris.has(notified)) return [notified];
    const plain = canonicalSpelling(notified);
    const exact = this.#spelled(plain, this.#byPlain);
    if (this.#uris.has(notified)) return exact.includes(notified) ? exact : [notified, ...exact];
    for (const part of [plain, ...partsAbove(plain)]) {
      const found = this.#spellingsOf(part);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The wanted spellings of this URI, for which the server may use another one. */
  spellingsOf(uri: string): string[] {
    return this.#spellingsOf(canonicalSpelling(uri));
  }

  /** Call it when this URI may have become wanted or unwanted. */
  touch(uri: string): void {
    if (!this.#isWhole) this.#touched.add(uri);
  }

  /** Call it when any URI may have become wanted or unwanted, or the last run was not completed. */
  touchAll(): void {
    this.#isWhole = true;
    this.#touched.clear();
  }

  /** Compares with the sources. */
  update(sources: WantedSources): WantedChange {
    const isWhole = this.#isWhole;
    const change = isWhole ? this.#compareAll(sources) : this.#compareTouched(sources);
    for (const uri of change.removed) this.#dropSpellings(uri);
    for (const uri of change.added) this.#addSpellings(uri);
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

  #spellingsOf(plain: string): string[] {
    const found = this.#spelled(plain, this.#byPlain);
    return found.length > 0 ? found : this.#spelled(foldHost(plain), this.#byFolded);
  }

  #spelled(spelling: string, bySpelling: ReadonlyMap<string, ReadonlySet<string>>): string[] {
    const others = [...(bySpelling.get(spelling) ?? [])];
    return this.#uris.has(spelling) ? [spelling, ...others] : others;
  }

  /** Uses memory only for URIs whose canonical spelling differs. */
  #addSpellings(uri: string): void {
    const plain = canonicalSpelling(uri);
    const folded = foldHost(plain);
    if (plain !== uri) put(this.#byPlain, plain, uri);
    if (folded !== uri) put(this.#byFolded, folded, uri);
  }

  #dropSpellings(uri: string): void {
    const plain = canonicalSpelling(uri);
    drop(this.#byPlain, plain, uri);
    drop(this.#byFolded, foldHost(plain), uri);
  }
}

function put(map: Map<string, Set<string>>, key: string, uri: string): void {
  const uris = map.get(key);
  if (uris) uris.add(uri);
  else map.set(key, new Set([uri]));
}

function drop(map: Map<string, Set<string>>, key: string, uri: string): void {
  const uris = map.get(key);
  if (uris?.delete(uri) && uris.size === 0) map.delete(key);
}
