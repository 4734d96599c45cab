// Keeps the secrets of an entry out of words that others get to see: a server may write its own key on
// stderr, and an answer may quote what it was sent.
import { inspect } from 'node:util';
import type { ServerEntry } from '../config/config.ts';
import type { TrackerLog } from '../log.ts';
import { ConnectFailure } from './connect-failure.ts';
import { basicCredentials, decoded } from './login.ts';
import type { OpenSession } from './session.ts';

export type Conceal = (text: string) => string;

/** A shorter value is no secret, and would be found in many a word. */
const shortest = 6;

export function concealer(entry: ServerEntry): Conceal {
  const secrets = [...new Set([...secretsOf(entry), ...(entry.filledIn ?? [])])].filter(
    ({ length }) => length >= shortest,
  );
  // The longest first: one may be part of another.
  secrets.sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
}

/** Opens sessions whose failures and reports hold none of them. */
export function concealed(open: OpenSession, conceal: Conceal): OpenSession {
  return (signal, events, hint) =>
    open(signal, { ...events, lost: (reason) => events.lost(conceal(reason)) }, hint).catch((error: unknown) => {
      throw new ConnectFailure(error, conceal);
    });
}

export function concealedLog(log: Required<TrackerLog>, conceal: Conceal): Required<TrackerLog> {
  const at = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    const shown = Object.entries(fields).map(([name, value]) => [name, shownOf(value, conceal)]);
    log[level](Object.fromEntries(shown), message);
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

function shownOf(value: unknown, conceal: Conceal): unknown {
  if (typeof value === 'string') return conceal(value);
  return typeof value === 'object' && value !== null ? conceal(inspect(value)) : value;
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
