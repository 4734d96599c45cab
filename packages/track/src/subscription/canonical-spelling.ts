// Spellings of a URI: servers may spell it differently from the subscription, or name a part of the resource.
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
export function foldHost(plain: string): string {
  return plain.replace(/:\/\/[^/?#]*/, (host) => host.toLowerCase());
}

/** `a://b/c/d?e#f` is a part of `a://b/c/d?e`, `a://b/c/d`, `a://b/c/`, `a://b/c`, `a://b/`, `a://b`. */
export function* partsAbove(uri: string): Generator<string> {
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
