// Splits a URI into raw segments, and encodes segments.
import { LiveError } from '../base/error.ts';

interface SplitUri {
  /** In lower case: schemes are case-insensitive. */
  scheme: string;
  /** The parts between slashes, still percent-encoded. `a://b/c` has `''`, `''`, `b`, `c`. */
  segments: string[];
}

const schemePattern = /^([A-Za-z][A-Za-z0-9+.-]*):/;
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
const controlCharacters = /[\u0000-\u001f\u007f]/;

export function splitUri(uri: string): SplitUri {
  const scheme = schemePattern.exec(uri)?.[1];
  if (scheme === undefined) {
    throw new LiveError('INVALID_URI', 'A resource URI starts with a scheme, as in "notes://today".', uri);
  }
  if (controlCharacters.test(uri)) {
    throw new LiveError('INVALID_URI', 'A resource URI has no control characters: percent-encode them.', uri);
  }
  return { scheme: scheme.toLowerCase(), segments: uri.slice(scheme.length + 1).split('/') };
}

export function decode(encoded: string, uri: string): string {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new LiveError('INVALID_URI', `"${encoded}" has a malformed percent-escape: write a plain % as %25.`, uri);
  }
}

/** Characters that are never encoded. Most values consist of them, and need no further processing. */
const unreserved = /^[\w.~-]*$/;

/** Encodes everything but RFC 3986's unreserved characters, so that one value has one spelling. */
export function encodeSegment(value: string): string {
  if (unreserved.test(value)) return value;
  if (!value.isWellFormed()) {
    throw new LiveError('INVALID_PARAMS', 'A value with an unpaired surrogate cannot be part of a URI.');
  }
  return encodeURIComponent(value).replace(/[!'()*]/g, percentEncode);
}

/** Encodes a literal of a template: only characters that no URI may contain. */
export function encodeLiteral(text: string): string {
  if (unreserved.test(text)) return text;
  return encodeURIComponent(text).replace(
    /%(?:21|23|24|26|27|28|29|2A|2B|2C|3A|3B|3D|3F|40|5B|5D)/g,
    decodeURIComponent,
  );
}

/** As `encodeSegment`, but keeps slashes: `{+path}` is the rest of a path. */
export function encodeRest(value: string): string {
  return value.split('/').map(encodeSegment).join('/');
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
