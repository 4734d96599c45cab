// The port: how a login gets a new token, if it has none or the present one is about to expire or was rejected. A
// person logs in with "tidings login", and that login is refreshed; a machine logs in by itself.
import type { StoredLogin } from './stored-login.ts';

/** The parameters of a server's 401 answer. */
export interface Challenge {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
}

export interface LoginGrant {
  /** Whether a renewal can be tried. */
  canRenew(this: void, login: StoredLogin | undefined): boolean;
  /**
   * Resolves with the login with a new token, or without one if the login has ended. Rejects if the outcome is unknown,
   * for example because the authorization server cannot be reached.
   */
  renew(this: void, login: StoredLogin | undefined, challenge: Challenge): Promise<StoredLogin | undefined>;
}

/** The authorization server has refused, and will do so again: a person has to act. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}
