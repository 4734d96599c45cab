// Moves user name and password from a URL to a header, since fetch does not accept them in the URL.
import { decodedIfValid } from '@tidings/live/portable';
import type { UrlEntry } from '../../config/config.ts';
import { authorizationHeader } from '../../config/per-user.ts';

/** An `Authorization` header in the entry takes precedence. */
export function withUrlCredentials(entry: UrlEntry): UrlEntry {
  const address = new URL(entry.url);
  const { username, password } = address;
  if (username === '' && password === '') return entry;
  address.username = '';
  address.password = '';
  const { headers } = entry;
  if (authorizationHeader(headers) !== undefined) return { ...entry, url: address.href };
  const Authorization = `Basic ${basicCredentials(username, password)}`;
  return { ...entry, url: address.href, headers: { Authorization, ...headers } };
}

/** Takes both as they are in the URL, percent-encoded. */
export function basicCredentials(username: string, password: string): string {
  return Buffer.from(`${decodedIfValid(username)}:${decodedIfValid(password)}`).toString('base64');
}
