// Advice for users about a server that requires a login.
import { shortened } from '@tidings/live/shortened';
import type { ServerEntry } from '../config/config.ts';
import { quotedLine } from './login-refused.ts';
import { usesOAuth } from './logins.ts';
import type { ServerLogin } from './server-login.ts';

const byHeader =
  'set "headers" in its entry, such as "Authorization": "Bearer ${TOKEN}", or user and password in its URL. Editing the entry or restarting the server tries again at once.';

/** `conceal` removes secrets from text. */
export function loginAdvice(
  entry: ServerEntry,
  login: ServerLogin | undefined,
  conceal: (text: string) => string,
): string {
  if (login === undefined || !usesOAuth(entry)) {
    return `The server requires a login (HTTP 401), and got none or one that it does not accept: ${byHeader}`;
  }
  if (entry.oauth?.grant !== undefined) {
    // Text of the authorization server, which may quote secrets of the request.
    const problem = quotedLine(conceal(login.problem));
    const why = problem === '' ? 'does not accept the token it was given' : `got no token: ${problem}`;
    return `The server wants a login (HTTP 401), and ${why}. Check "oauth" in its entry.`;
  }
  if (login.wantedScope !== undefined) return scopeAdvice(entry, login.wantedScope);
  return `The server requires a login (HTTP 401). Run "tidings login ${entry.id}": the hub connects as soon as you have logged in. Or ${byHeader}`;
}

const longestScope = 120;

export function scopeAdvice(entry: ServerEntry, scope: string): string {
  const isMachine = 'url' in entry && entry.oauth?.grant !== undefined;
  const advice = isMachine ? 'Set "scope" of "oauth" in its entry.' : `Run "tidings login ${entry.id}" to ask for it.`;
  return `The server requires more permission than the login has (scope "${shortened(scope, longestScope)}"). ${advice}`;
}
