// Finds the wanted URIs that a notification is about. A server may spell a URI differently from the
// subscription, and may name a sub-resource of what was subscribed to, which the protocol allows.
//
//   wanted raw://r/1    notified raw://r/1, RAW://r/1, raw://r/%31, raw://r/1/part, raw://r/1?page=2
//
// All spellings of a URI are found; of a sub-resource, the nearest wanted URI above it.
export class NotifiedUris {
  readonly #isWanted: (uri: string) => boolean;
  /** Wanted URIs by their canonical spelling, if that differs from the URI itself. */
  readonly #byPlain = new Map<string, Set<string>>();
  /** The same with the host in lower case, for servers that change it. */
  readonly #byFolded = new Map<string, Set<string>>();

  constructor(isWanted: (uri: string) => boolean) {
    this.#isWanted = isWanted;
  }

  /** Uses memory only for URIs whose canonical spelling differs. */
  add(uri: string): void {
    const plain = canonicalSpelling(uri);
    const folded = foldHost(plain);
    if (plain !== uri) put(this.#byPlain, plain, uri);
    if (folded !== uri) put(this.#byFolded, folded, uri);
  }

  delete(uri: string): void {
    const plain = canonicalSpelling(uri);
    drop(this.#byPlain, plain, uri);
    drop(this.#byFolded, foldHost(plain), uri);
  }

  find(notified: string): string[] {
    // All wanted URIs are canonical, so this one has no other spelling.
    if (this.#byPlain.size === 0 && this.#isWanted(notified)) return [notified];
    const plain = canonicalSpelling(notified);
    const exact = this.#spellings(plain);
    if (this.#isWanted(notified)) return exact.includes(notified) ? exact : [notified, ...exact];
    for (const part of [plain, ...partsAbove(plain)]) {
      const found = this.#spellings(part);
      if (found.length > 0) return found;
      const folded = this.#folded(foldHost(part));
      if (folded.length > 0) return folded;
    }
    return [];
  }

  #spellings(plain: string): string[] {
    const others = [...(this.#byPlain.get(plain) ?? [])];
    return this.#isWanted(plain) ? [plain, ...others] : others;
  }

  #folded(folded: string): string[] {
    const others = [...(this.#byFolded.get(folded) ?? [])];
    return this.#isWanted(folded) ? [folded, ...others] : others;
  }
}

const alreadyPlain = /^[a-z][a-z0-9+.-]*:[A-Za-z0-9\-._~/:]*$/;
const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** One spelling for all that differ in percent-encoding, Unicode form or the case of the scheme. */
export function canonicalSpelling(uri: string): string {
  if (alreadyPlain.test(uri)) return uri;
  const name = scheme.exec(uri)?.[0] ?? '';
  const rest = uri.slice(name.length).replaceAll(/[^/?#&=:@]+/g, plainPart);
  return name.toLowerCase() + rest;
}

function plainPart(part: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(part).normalize('NFC'));
  } catch {
    // A malformed percent-escape, or half a surrogate pair: there is no other spelling.
    return part;
  }
}

/** The part between `//` and the next slash in lower case. */
function foldHost(plain: string): string {
  return plain.replace(/:\/\/[^/?#]*/, (host) => host.toLowerCase());
}

/** `a://b/c/d?e#f` is a part of `a://b/c/d?e`, `a://b/c/d`, `a://b/c/`, `a://b/c`, `a://b/`, `a://b`. */
function* partsAbove(uri: string): Generator<string> {
  const lowest = /^[^:]*:(?:\/\/)?/.exec(uri)?.[0].length ?? 0;
  let end = uri.length;
  for (const mark of ['#', '?']) {
    const at = uri.slice(0, end).indexOf(mark);
    if (at > lowest) yield uri.slice(0, (end = at));
  }
  for (let at = uri.lastIndexOf('/', end - 1); at > lowest; at = uri.lastIndexOf('/', at - 1)) {
    if (at + 1 < end) yield uri.slice(0, at + 1);
    yield uri.slice(0, at);
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
