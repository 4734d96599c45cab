// Addresses of HTTP servers, as users and other programs give them.
import { parsedUrl } from './parsed-url.ts';

/** `form`: it is no http or https URL; `credentials`: it has a user name or password. */
type AddressFault = 'form' | 'credentials';

export function isWebUrl({ protocol }: Pick<URL, 'protocol'>): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** Whether it has a user name or a password: addresses are shown and logged. */
export function hasCredentials({ username, password }: Pick<URL, 'username' | 'password'>): boolean {
  return username !== '' || password !== '';
}

/** Parses the address of an HTTP server; throws what `refusal` makes of its fault. */
export function webAddress(text: string, refusal: (fault: AddressFault) => Error): URL {
  const url = parsedUrl(text);
  if (url === undefined || !isWebUrl(url)) throw refusal('form');
  if (hasCredentials(url)) throw refusal('credentials');
  return url;
}
