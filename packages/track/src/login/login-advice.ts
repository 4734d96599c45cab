// Advice for users about a server that requires a login.
import { shortened } from '@tidings/live/portable';
import type { ServerEntry } from '../config/config.ts';
import { quotedLine } from './login-refused.ts';
import { usesOAuth } from './logins.ts';
import type { ServerLogin } from './server-login.ts';

const byHeader =
  'set "headers" in its entry, such as "Authorization": "Bearer ${TOKEN}", or user and password in its URL. Editing the entry or restarting the server tries again at once.';

export interface LoginAdvised {
  entry: ServerEntry;
  login: Pick<ServerLogin, 'problem' | 'wantedScope'> | undefined;
  /** How to log in. */
  command: string;
  /** Whether a user logs in, who cannot edit the entry. */
  isUser: boolean;
}

/** The command with which the operator logs in, or a user at the hub with this address. */
export function loginCommand(serverId: string, hub: string | undefined): string {
  return hub === undefined ? `tidings login ${serverId}` : `tidings login ${serverId} --hub ${hub}`;
}

/** `conceal` removes secrets from text. */
export function loginAdvice(
  { entry, login, command, isUser }: LoginAdvised,
  conceal: (text: string) => string,
): string {
  if (isUser) {
    if (login?.wantedScope !== undefined) return scopeAdvice({ entry, command }, login.wantedScope);
    return `You are not logged in to this server, at which every user has a login of its own. Run "${command}".`;
  }
  if (login === undefined || !usesOAuth(entry)) {
    return `The server requires a login (HTTP 401), and got none or one that it does not accept: ${byHeader}`;
  }
  if (entry.oauth?.grant !== undefined) {
    // Text of the authorization server, which may quote secrets of the request.
    const problem = quotedLine(conceal(login.problem));
    const why = problem === '' ? 'does not accept the token it was given' : `got no token: ${problem}`;
    return `The server wants a login (HTTP 401), and ${why}. Check "oauth" in its entry.`;
  }
  if (login.wantedScope !== undefined) return scopeAdvice({ entry, command }, login.wantedScope);
  return `The server requires a login (HTTP 401). Run "${command}": the hub connects as soon as you have logged in. Or ${byHeader}`;
}

const longestScope = 120;

export function scopeAdvice({ entry, command }: Pick<LoginAdvised, 'entry' | 'command'>, scope: string): string {
  const isMachine = 'url' in entry && entry.oauth?.grant !== undefined;
  const advice = isMachine ? 'Set "scope" of "oauth" in its entry.' : `Run "${command}" to ask for it.`;
  return `The server requires more permission than the login has (scope "${shortened(scope, longestScope)}"). ${advice}`;
}
