// The unambiguous address of a resource: `tidings://{serverId}/{percent-encoded URI}`, also where several servers have
// that URI.
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

/** Undefined for any other URI. */
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
