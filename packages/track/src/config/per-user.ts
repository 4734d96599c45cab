// Servers at which every caller has a login of its own.
import { loginKey } from '../base/login-key.ts';
import type { ServerEntry, UrlEntry } from './config.ts';

export type PerUserEntry = Extract<ServerEntry, UrlEntry> & { readonly login: 'per-user' };

export function isPerUser(entry: ServerEntry): entry is PerUserEntry {
  return 'url' in entry && entry.login === 'per-user';
}

/** The name of the `Authorization` header, as the entry writes it. */
export function authorizationHeader(headers: UrlEntry['headers']): string | undefined {
  return Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
}

/** Whether all requests to this server carry the same credentials, of its entry. */
export function hasOwnCredentials({ url, headers }: UrlEntry): boolean {
  const { username, password } = new URL(url);
  return authorizationHeader(headers) !== undefined || username !== '' || password !== '';
}

/** Why an entry cannot be one of a server with logins per user; with the field that is wrong. */
export function perUserProblems(entry: ServerEntry): string[] {
  if (!isPerUser(entry)) return [];
  const { url, headers, oauth } = entry;
  const { username, password } = new URL(url);
  const header = authorizationHeader(headers);
  const all = 'would be the same for all callers, so "login" cannot be "per-user".';
  return [
    ...(oauth?.grant === undefined ? [] : [`oauth.grant: "${oauth.grant}" ${all}`]),
    ...(header === undefined ? [] : [`headers.${header}: ${all}`]),
    ...(username === '' && password === '' ? [] : [`url: its user and password ${all}`]),
  ];
}

/**
 * Two entries with one address, only one of them per user, would give the operator's login at that address to every
 * caller.
 */
export function sharedAddress(servers: readonly ServerEntry[]): { perUser: string; shared: string } | undefined {
  const perUser = new Map(servers.filter(isPerUser).map(({ id, url }) => [loginKey(url), id]));
  for (const entry of servers) {
    if (!('url' in entry) || isPerUser(entry) || hasOwnCredentials(entry)) continue;
    const other = perUser.get(loginKey(entry.url));
    if (other !== undefined) return { perUser: other, shared: entry.id };
  }
  return undefined;
}
