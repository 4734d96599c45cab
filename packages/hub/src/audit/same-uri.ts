// Finds a resource in the audit log however its URI was written by those who asked for it: as an address of the
// gateway, with escapes that need not be there, with capitals in its scheme.
import { uriPattern } from '@tidings/track/contract';

/** `wanted`: a URI, or a pattern. */
export function uriMatcher(wanted: string): (uri: string) => boolean {
  const pattern = uriPattern(plainSpelling(wanted));
  return (uri) => pattern.test(plainSpelling(uri));
}

function plainSpelling(uri: string): string {
  return decoded(innerUri(uri)).replace(/^[A-Za-z][A-Za-z0-9+.-]*:/, (scheme) => scheme.toLowerCase());
}

/** Of `tidings://{serverId}/{percent-encoded URI}` what the server calls it. */
function innerUri(uri: string): string {
  const inner = /^tidings:\/\/[^/]+\/(.+)$/is.exec(uri)?.[1];
  return inner === undefined ? uri : decoded(inner);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
