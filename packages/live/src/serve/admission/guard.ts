// Host and Origin checks. The Host check prevents DNS rebinding, where a page reaches a local server under the page's
// own host name. The Origin check refuses pages of other origins; scheme, host and port are compared, because browsers
// send the same cookies to all ports of a host.
import type { IncomingMessage } from 'node:http';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import { LiveError } from '../../base/error.ts';
import { urlHost } from '../../base/host-name.ts';
import { parsedUrl } from '../../portable/parsed-url.ts';

/** A list, or a function if the list can change. */
type AllowedValues = readonly string[] | (() => readonly string[]);

export interface GuardOptions<Source = IncomingMessage> {
  /** Host names under which this endpoint is reached, without port. Default: the loopback names. */
  allowedHosts?: AllowedValues;
  /** Origins of other pages that may send requests, such as `https://app.example.com:8443`. Default: its own only. */
  allowedOrigins?: AllowedValues;
  /**
   * Whether the client used TLS. Default: whether this connection does; behind a proxy, what the proxy's headers say.
   */
  isTls?: (req: Source) => boolean;
  /** The names of the two lists in error messages, if the user knows them by other names. Default: as here. */
  settings?: { hosts: string; origins: string };
}

const ownSettings = { hosts: 'allowedHosts', origins: 'allowedOrigins' };

/** Throws if the request must be refused. */
export type Guard<Source = IncomingMessage> = (req: Source) => void;

/** The host names of a server that listens at `host`; not those of one that listens on every address. */
export function ownHostNames(host: string): string[] {
  return [...new Set([...localhostAllowedHostnames(), urlHost(host)])];
}

export function createGuard({ isTls = isEncrypted, ...names }: GuardOptions): Guard {
  return guardWith(names, (req) => ({ host: hostOf(req), origin: req.headers.origin, isTls: isTls(req) }));
}

/** Checks the Host only: for answers that pages of any origin may read. */
export function createHostGuard({ allowedHosts, settings = ownSettings }: GuardOptions): Guard {
  const assertOwnHost = hostGuard(allowedHosts, settings);
  return (req) => assertOwnHost(hostOf(req));
}

export function createWebGuard({ isTls = hasTlsUrl, ...names }: GuardOptions<Request>): Guard<Request> {
  return guardWith(names, (request) => ({
    // A `Request` that a program constructed has no Host header.
    host: request.headers.get('host') ?? new URL(request.url).host,
    origin: request.headers.get('origin') ?? undefined,
    isTls: isTls(request),
  }));
}

interface Provenance {
  host: string | undefined;
  origin: string | undefined;
  isTls: boolean;
}

function guardWith<Source>(
  { allowedHosts, allowedOrigins = [], settings = ownSettings }: Omit<GuardOptions<Source>, 'isTls'>,
  provenanceOf: (source: Source) => Provenance,
): Guard<Source> {
  const assertOwnHost = hostGuard(allowedHosts, settings);
  const origins = current(allowedOrigins);
  // An origin without a scheme is a likely mistake: report it at once.
  for (const each of origins()) originOf(each);
  return (source) => {
    const { host, origin, isTls } = provenanceOf(source);
    assertOwnHost(host);
    if (origin === undefined || origin === ownOrigin(host, isTls)) return;
    if (!origins().some((each) => originOf(each) === origin)) {
      throw new LiveError(
        'PERMISSION_DENIED',
        `Origin "${origin}" may not call this server: add it, with its scheme and port, to ${settings.origins}.`,
      );
    }
  };
}

function hostGuard(
  allowedHosts: AllowedValues | undefined,
  settings: typeof ownSettings,
): (host: string | undefined) => void {
  const isOwnHost = hostCheck(allowedHosts ?? localhostAllowedHostnames());
  return (host) => {
    if (isOwnHost(host)) return;
    const message = `Host "${host ?? ''}" is not one of this server's: add it to ${settings.hosts}.`;
    throw new LiveError('PERMISSION_DENIED', message);
  };
}

/** Nearly all requests have the same Host, so the last one found in a fixed list is remembered. */
function hostCheck(names: AllowedValues): (host: string | undefined) => boolean {
  if (typeof names === 'function') return (host) => validateHostHeader(host, [...names()]).ok;
  const fixed = [...names];
  let lastFound: string | undefined;
  return (host) => {
    if (host !== undefined && host === lastFound) return true;
    const isFound = validateHostHeader(host, fixed).ok;
    if (isFound) lastFound = host;
    return isFound;
  };
}

/** HTTP/2 has `:authority` instead of a Host header. */
function hostOf({ headers }: IncomingMessage): string | undefined {
  const authority = headers[':authority'];
  return headers.host ?? (typeof authority === 'string' ? authority : undefined);
}

/** The origin of a page that was loaded from this address. */
function ownOrigin(host: string | undefined, isTls: boolean): string | undefined {
  const url = `${isTls ? 'https' : 'http'}://${host ?? ''}`;
  return parsedUrl(url)?.origin;
}

function originOf(text: string): string {
  const origin = parsedUrl(text)?.origin ?? 'null';
  if (origin === 'null') throw new TypeError(`"${text}" is not an origin: write one such as https://example.com:8443.`);
  return origin;
}

function isEncrypted({ socket }: IncomingMessage): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}

function hasTlsUrl({ url }: Request): boolean {
  return url.startsWith('https:');
}

function current(names: AllowedValues): () => readonly string[] {
  if (typeof names === 'function') return names;
  const fixed = [...names];
  return () => fixed;
}
