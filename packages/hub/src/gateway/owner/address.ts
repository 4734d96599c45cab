// The unambiguous address of a resource, `tidings://{serverId}/{percent-encoded URI}`, for URIs that several servers
// have.
import { LiveError } from '@tidings/live';

const scheme = 'tidings://';

export interface Address {
  serverId: string;
  uri: string;
}

export function addressOf({ serverId, uri }: Address): string {
  // A lone surrogate, which a server may send, has no encoding.
  return `${scheme}${serverId}/${encodeURIComponent(uri.toWellFormed())}`;
}

/** The address of a template. Its variables must stay as they are, so nothing is percent-encoded. */
export function addressTemplateOf({ serverId, uri }: Address): string {
  return `${scheme}${serverId}/${uri}`;
}

/** Matches a URI that is not percent-encoded: an encoded one has no colon. */
const plainUri = /^[a-z][a-z\d+.-]*:/i;

/** Undefined if the text is not an address. */
export function parseAddress(text: string): Address | undefined {
  if (!text.toLowerCase().startsWith(scheme)) return undefined;
  const [, serverId, encoded] = /^([^/]+)\/(.+)$/s.exec(text.slice(scheme.length)) ?? [];
  if (serverId === undefined || encoded === undefined) {
    throw new LiveError('INVALID_URI', 'Write tidings://{server}/{percent-encoded URI}.', text);
  }
  if (plainUri.test(encoded)) return { serverId, uri: encoded };
  try {
    return { serverId, uri: decodeURIComponent(encoded) };
  } catch {
    throw new LiveError('INVALID_URI', 'The URI has a malformed percent-escape: write a plain % as %25.', text);
  }
}
