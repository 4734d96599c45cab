// Whose login a caller uses at servers with logins per user. The operator (a caller of a hub without tokens, the bearer of
// TIDINGS_TOKEN, another node, the tracker itself) uses the one of the hub's machine, everyone else a login of their own.
import type { Caller } from '@tidings/live';

/** Undefined for the operator. Tokens of one owner are one user, whatever each of them grants. */
export function userOf({ auth }: Pick<Caller, 'auth'>): string | undefined {
  if (auth === undefined || auth['isOperator'] === true) return undefined;
  const user = auth['user'];
  return typeof user === 'string' ? user : auth.subject;
}
