// The port: how a login gets a token where it has none, or the one it has is about to expire or was rejected. People log
// in with "tidings login" and their login is refreshed; machines log in by themselves.
import type { StoredLogin } from './stored-login.ts';

/** What a server said when it answered 401. */
export interface Challenge {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
}

export interface LoginGrant {
  /** Whether there is anything to try. */
  canRenew(this: void, login: StoredLogin | undefined): boolean;
  /**
   * The login with a new token, or without one if it has ended. Rejects where that is not known, as when the
   * authorization server cannot be reached.
   */
  renew(this: void, login: StoredLogin | undefined, challenge: Challenge): Promise<StoredLogin | undefined>;
}

/** The authorization server has refused, and will do so again: a person has to act. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}
