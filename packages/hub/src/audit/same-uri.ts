// Finds a resource in the audit log in any spelling of its URI: as an address of the gateway, with unnecessary escapes,
// with capitals in its scheme.
import { uriPattern } from '@tidings/client/contract';
import { decodedIfValid } from '@tidings/live/portable';

/** `wanted`: a URI, or a pattern. */
export function uriMatcher(wanted: string): (uri: string) => boolean {
  const pattern = uriPattern(plainSpelling(wanted));
  return (uri) => pattern.test(plainSpelling(uri));
}

function plainSpelling(uri: string): string {
  return decodedIfValid(innerUri(uri)).replace(/^[A-Za-z][A-Za-z0-9+.-]*:/, (scheme) => scheme.toLowerCase());
}

/** The server's own URI in `tidings://{serverId}/{percent-encoded URI}`. */
function innerUri(uri: string): string {
  const inner = /^tidings:\/\/[^/]+\/(.+)$/is.exec(uri)?.[1];
  return inner === undefined ? uri : decodedIfValid(inner);
}
