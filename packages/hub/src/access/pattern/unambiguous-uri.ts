// One URI, and how different programs interpret it. A server may parse a URI with `new URL`, decode it (once, or
// by mistake twice), use its path as a file name, or ignore its query. A pattern that was compared with the text
// alone would let `docs://corp/public/%2e%2e/private` pass as something public. So:
//   - a URI that has no single meaning is ambiguous, and is refused where access is limited by patterns;
//   - for any other URI, every interpretation must be allowed, not only its text.
import { parsedUrl } from '@tidings/live/portable';

const mostCharacters = 8192;
/** How often a URI may be decoded: servers decode once, faulty ones twice. */
const decodings = 2;

/**
 * A URI of names between slashes, none of them only dots, in a scheme for which `new URL` changes nothing: all programs
 * interpret it the same way. Most URIs are of this kind, and thousands are checked.
 */
const plain =
  /^(?:file:\/\/\/|(?!(?:https?|wss?|ftp|file):)[a-z][a-z0-9+.-]*:\/\/)(?:\.*[\w~-][\w~.-]*\/)*\.*[\w~-][\w~.-]*$/;
const malformedEscape = /%(?![0-9A-Fa-f]{2})/;
const escapes = /(?:%[0-9A-Fa-f]{2})+/g;
/** Control characters, line separators, noncharacters and backslashes. */
const neverLegal = /[\p{Cc}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\\]/u;
/** A program may look for a directory name between any two of these. */
const separators = /[/\\?#:;=&,]/;
/** A dot, or a character that may be normalised to one. */
const maybeDot = /[.\u0080-\uffff]/;
const notShown = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** Schemes for which `new URL` writes a slash if there is no path. */
const specialSchemes = new Set(['http', 'https', 'ws', 'wss', 'ftp', 'file']);

/** Whether a quick check shows that all programs interpret the URI the same way. */
export function isPlain(uri: string): boolean {
  return uri.length <= mostCharacters && plain.test(uri);
}

/** Whether programs would disagree about which resource this is. */
export function isAmbiguous(uri: string): boolean {
  if (uri.length > mostCharacters || !uri.isWellFormed()) return true;
  if (/\s/.test(uri) || malformedEscape.test(uri)) return true;
  let text = uri;
  for (let level = 0; level <= decodings; level += 1) {
    if (neverLegal.test(text) || text.trim() !== text) return true;
    if (hasDotSegment(text) || !isUnchangedByUrlParser(text)) return true;
    const next = decoded(text);
    // Bytes that are not UTF-8, or an escape that remains after all decodings.
    if (next === undefined || (level === decodings && next !== text)) return true;
    if (next === text) return false;
    text = next;
  }
  return false;
}

/**
 * The interpretations of a text, in a fixed order: the same index in two results is the same way of interpreting. The
 * first is the text itself. The text may also be a pattern, so that a pattern can be interpreted like the URI.
 */
export function readingsOf(text: string): readonly string[] {
  return steps.reduce((all, step) => all.flatMap((each) => [each, ...step(each)]), levelsOf(text));
}

/** The interpretations without duplicates: most interpretations of a URI are equal. */
export function distinctReadings(text: string): ReadonlySet<string> {
  let found = new Set(levelsOf(text));
  for (const step of steps) found = new Set(Array.from(found, (each) => [each].concat(step(each))).flat());
  return found;
}

/** The transformations that a program may apply to a URI, in this order. */
const steps: readonly ((text: string) => readonly string[])[] = [
  // A full-width slash or question mark becomes a plain one.
  (text) => [text.normalize('NFKC')],
  (text) => [upTo(text, /#/), upTo(text, /[?#]/)],
  (text) => [withoutUser(text)],
  (text) => [withoutEmptySegments(text)],
  (text) => [withoutLastSlashes(text)],
];

/** The text, and the result of each decoding. */
function levelsOf(text: string): string[] {
  const levels = [text];
  for (let last = text; levels.length <= decodings; levels.push(last)) last = decoded(last) ?? '';
  return levels;
}

/** Undefined if the bytes are not UTF-8. */
function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return text.replace(escapes, decodeURIComponent);
  } catch {
    return undefined;
  }
}

/**
 * Whether a segment is `.` or `..`, also in the full-width spelling that some servers normalise, with invisible
 * characters that normalisation removes, or with spaces, which Windows ignores.
 */
function hasDotSegment(text: string): boolean {
  if (!maybeDot.test(text)) return false;
  const segments = text.normalize('NFKC').replaceAll(notShown, '').split(separators);
  return segments.some((segment) => segment.includes('.') && /^[. ]+$/.test(segment));
}

/** Whether `new URL` leaves the text as it is, except for escapes and a slash after the host. */
function isUnchangedByUrlParser(text: string): boolean {
  const href = parsedUrl(text)?.href;
  return href === undefined || href === text || comparable(href) === comparable(text);
}

function comparable(text: string): string {
  const parts = partsOf(levelsOf(text).at(-1) ?? text);
  const isHost = parts.path === '' && specialSchemes.has(parts.scheme);
  return joined(isHost ? { ...parts, path: '/' } : parts);
}

interface Parts {
  scheme: string;
  /** The part between `//` and the path; undefined without `//`. */
  authority: string | undefined;
  path: string;
  /** Query and fragment. */
  rest: string;
}

function partsOf(text: string): Parts {
  const colon = text.indexOf(':');
  const scheme = text.slice(0, Math.max(0, colon));
  const afterScheme = text.slice(colon + 1);
  const beforeRest = upTo(afterScheme, /[?#]/);
  const rest = afterScheme.slice(beforeRest.length);
  if (!beforeRest.startsWith('//')) return { scheme, authority: undefined, path: beforeRest, rest };
  const slash = beforeRest.indexOf('/', 2);
  const end = slash === -1 ? beforeRest.length : slash;
  return { scheme, authority: beforeRest.slice(2, end), path: beforeRest.slice(end), rest };
}

function joined({ scheme, authority, path, rest }: Parts): string {
  return `${scheme}:${slashes(authority)}${path}${rest}`;
}

function slashes(authority: string | undefined): string {
  return authority === undefined ? '' : `//${authority}`;
}

function upTo(text: string, mark: RegExp): string {
  const at = text.search(mark);
  return at === -1 ? text : text.slice(0, at);
}

/** Without `user:password@`. */
function withoutUser(text: string): string {
  if (!text.includes('@')) return text;
  const parts = partsOf(text);
  const at = parts.authority?.lastIndexOf('@') ?? -1;
  return at === -1 ? text : joined({ ...parts, authority: parts.authority?.slice(at + 1) });
}

function withoutEmptySegments(text: string): string {
  const parts = partsOf(text);
  return parts.path.includes('//') ? joined({ ...parts, path: parts.path.replaceAll(/\/+/g, '/') }) : text;
}

function withoutLastSlashes(text: string): string {
  const parts = partsOf(text);
  let end = parts.path.length;
  while (end > 0 && parts.path[end - 1] === '/') end -= 1;
  // The root of a file system has no other spelling.
  if (end === 0 && !parts.authority) end = Math.min(1, parts.path.length);
  return end === parts.path.length ? text : joined({ ...parts, path: parts.path.slice(0, end) });
}
