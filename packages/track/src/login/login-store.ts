// The port: where logins are stored. Its cases are in login-store-cases.ts.
import type { StoredLogin } from './stored-login.ts';

/** Where logins at servers are stored, by the addresses of the servers. */
export interface LoginStore {
  read(key: string): Promise<StoredLogin | undefined>;
  /**
   * Replaces a login by what `change` makes of it; undefined deletes it. Meanwhile no other call changes it, in this
   * process or another: a refresh token may be good for one use only. Resolves with what is stored then.
   */
  edit(key: string, change: LoginChange): Promise<StoredLogin | undefined>;
  /** Calls `listener` when the login may have changed, also in another process. Returns how to stop. */
  follow(key: string, listener: () => void): () => void;
}

/** What becomes of a login; undefined deletes it. */
export type LoginChange = (login: StoredLogin | undefined) => Promise<StoredLogin | undefined>;
