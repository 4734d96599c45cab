// The key under which a login is stored: the address of the server. An entry that is edited to lead elsewhere, or
// another entry with the same id, never gets a token of the old address. Logins of users have the user in their key.
import { digestOf } from '@tidings/live/internal';

export function loginKey(url: string): string {
  const key = new URL(url);
  key.username = '';
  key.password = '';
  key.hash = '';
  return key.href;
}

/** No key of `loginKey` has a fragment, so a user cannot have the key of a shared login. */
export function userLoginKey(url: string, user: string): string {
  // As JSON, which escapes the lone surrogates that a digest would not tell apart.
  const digest = digestOf(JSON.stringify(user), 'hex');
  return `${loginKey(url)}#user-${digest}`;
}
