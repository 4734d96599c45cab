// Removes the secrets of a configured server from text: environment values, headers, credentials and query parameters
// of its URL, and the secrets of its login.
import { decodedIfValid } from '@tidings/live/portable';
import type { ServerEntry, UrlEntry } from '../../config/config.ts';
import { basicCredentials } from './url-credentials.ts';

export type Conceal = (text: string) => string;

/** Shorter values are shown: they are hardly secrets, and occur in ordinary words. */
const shortest = 6;

/** `login.secrets` is read for each text, since tokens change. */
export function concealer(entry: ServerEntry, login?: { readonly secrets: Iterable<string> }): Conceal {
  const own = inOrder([...secretsOf(entry), ...(entry.filledIn ?? [])]);
  return (text) => {
    const secrets = login ? inOrder([...own, ...login.secrets]) : own;
    return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  };
}

/** The longest first, because one secret may be part of another. */
function inOrder(secrets: readonly string[]): string[] {
  return [...new Set(secrets)].filter(({ length }) => length >= shortest).sort((a, b) => b.length - a.length);
}

function secretsOf(entry: ServerEntry): string[] {
  if ('command' in entry) return Object.values(entry.env);
  if (!('url' in entry)) return [];
  const { username, password, searchParams } = new URL(entry.url);
  const credentials = [password, decodedIfValid(password), basicCredentials(username, password)];
  // A server may quote the value of a header without its scheme, such as "Bearer".
  const headers = Object.values(entry.headers).flatMap((value) => [value, value.replace(/^\w+ /, '')]);
  return [...headers, ...credentials, ...searchParams.values(), ...oauthSecrets(entry)];
}

/** A private key may be quoted without its line breaks. */
function oauthSecrets({ oauth }: UrlEntry): string[] {
  if (oauth === undefined) return [];
  const key = oauth.grant === undefined ? '' : (oauth.privateKey ?? '');
  return [oauth.clientSecret ?? '', key, ...key.split('\n').filter((line) => !line.startsWith('-----'))];
}
