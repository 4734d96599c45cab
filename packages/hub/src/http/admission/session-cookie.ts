// The cookie of a browser session. Browsers send cookies to every port of a host, so its name contains the port: two hubs
// on one machine do not use each other's.
import type { IncomingMessage } from 'node:http';

interface CookieSettings {
  isTls: boolean;
  /** The request's Host header. */
  host: string | undefined;
}

function cookieName({ isTls, host = '' }: CookieSettings): string {
  const port = /:(\d+)$/.exec(host)?.[1] ?? (isTls ? '443' : '80');
  // A browser accepts a cookie with the prefix over TLS only, and from no other host.
  return `${isTls ? '__Host-' : ''}tidings-${port}`;
}

export function cookieHeader(settings: CookieSettings, value: string, maxAgeSeconds: number): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Strict', `Max-Age=${maxAgeSeconds}`];
  if (settings.isTls) attributes.push('Secure');
  return [`${cookieName(settings)}=${value}`, ...attributes].join('; ');
}

export function cookieOf({ headers }: IncomingMessage, isTls: boolean): string | undefined {
  const name = cookieName({ isTls, host: headers.host });
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=');
    if (key === name) return value;
  }
  return undefined;
}
