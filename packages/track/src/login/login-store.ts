// The port: a store for logins. Its cases are in login-store.test.ts.
import type { StoredLogin } from './stored-login.ts';

/** A store for logins at servers, by the addresses of the servers. */
export interface LoginStore {
  /** Undefined also for a login that is damaged. */
  read(key: string): Promise<StoredLogin | undefined>;
  /** Whether anything is stored, also a damaged login. */
  has(key: string): Promise<boolean>;
  /**
   * Replaces a login by the result of `change`; undefined deletes it. No other call changes it meanwhile, in this
   * process or another, because a refresh token may be valid for one use only. Resolves with the stored login.
   */
  edit(key: string, change: LoginChange): Promise<StoredLogin | undefined>;
  /** Calls `listener` when the login may have changed, also in another process. Returns a function that stops this. */
  follow(key: string, listener: () => void): () => void;
}

/** Returns the changed login; undefined deletes it. */
export type LoginChange = (login: StoredLogin | undefined) => Promise<StoredLogin | undefined>;
