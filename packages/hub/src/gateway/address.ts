// The address that always works: `tidings://{serverId}/{percent-encoded URI}`, whoever else has that URI.
import { LiveError } from '@tidings/live';

const scheme = 'tidings://';

export interface Address {
  serverId: string;
  uri: string;
}

export function addressOf({ serverId, uri }: Address): string {
  // Half a surrogate pair, which a server may well send, has no encoding.
  return `${scheme}${serverId}/${encodeURIComponent(uri.toWellFormed())}`;
}

/** Nothing where this is another kind of URI. */
export function parseAddress(text: string): Address | undefined {
  if (!text.toLowerCase().startsWith(scheme)) return undefined;
  const [, serverId, encoded] = /^([^/]+)\/(.+)$/s.exec(text.slice(scheme.length)) ?? [];
  if (serverId === undefined || encoded === undefined) {
    throw new LiveError('INVALID_URI', 'Write tidings://{server}/{percent-encoded URI}.', text);
  }
  try {
    return { serverId, uri: decodeURIComponent(encoded) };
  } catch {
    throw new LiveError('INVALID_URI', 'The URI has a malformed percent-escape: write a plain % as %25.', text);
  }
}
