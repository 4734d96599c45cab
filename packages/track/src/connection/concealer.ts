// Removes the secrets of a configured server from text: environment values, headers, credentials and query
// parameters of its URL.
import type { ServerEntry } from '../config/config.ts';
import { basicCredentials, decoded } from './login.ts';

export type Conceal = (text: string) => string;

/** Shorter values are kept: they are hardly secrets, and occur in ordinary words. */
const shortest = 6;

export function concealer(entry: ServerEntry): Conceal {
  const secrets = [...new Set([...secretsOf(entry), ...(entry.filledIn ?? [])])].filter(
    ({ length }) => length >= shortest,
  );
  // The longest first: one may be part of another.
  secrets.sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
}

function secretsOf(entry: ServerEntry): string[] {
  if ('command' in entry) return Object.values(entry.env);
  if (!('url' in entry)) return [];
  const { username, password, searchParams } = new URL(entry.url);
  const credentials = [password, decoded(password), basicCredentials(username, password)];
  // A header's scheme, as in "Bearer …", is none.
  const headers = Object.values(entry.headers).flatMap((value) => [value, value.replace(/^\w+ /, '')]);
  return [...headers, ...credentials, ...searchParams.values()];
}
