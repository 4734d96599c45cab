// The unambiguous address of a resource, `tidings://{serverId}/{percent-encoded URI}`: works even if several servers
// have that URI.
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

/** The same for a template. Its variables must stay as they are, so nothing of it is percent-encoded. */
export function addressTemplateOf({ serverId, uri }: Address): string {
  return `${scheme}${serverId}/${uri}`;
}

/** A URI as it is begins with its scheme; in a percent-encoded one there is no colon. */
const plainUri = /^[a-z][a-z\d+.-]*:/i;

/** Undefined for any other URI. */
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
