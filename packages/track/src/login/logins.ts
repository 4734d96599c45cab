// The logins of all servers of a tracker, or of one user at servers with logins per user. Servers over HTTP have one
// unless their entry has credentials of its own.
import type { Clock } from '@tidings/live';
import { boundedFetch } from '@tidings/live/internal';
import type { ServerEntry, UrlEntry } from '../config/config.ts';
import { hasOwnCredentials } from '../config/per-user.ts';
import { loginKey, userLoginKey } from '../base/login-key.ts';
import type { LoginStore } from './login-store.ts';
import { machineGrant } from './machine-grant.ts';
import { MemoryLoginStore } from './memory-login-store.ts';
import { personGrant } from './person-grant.ts';
import { ServerLogin } from './server-login.ts';

interface LoginsDeps {
  /** The store for logins of people. */
  store: LoginStore;
  fetch: typeof fetch;
  clock: Clock;
  /** Whose logins they are. Default: the operator's. */
  user?: string;
}

export class Logins {
  readonly #deps: LoginsDeps;
  readonly #logins = new Map<string, ServerLogin>();

  constructor(deps: LoginsDeps) {
    this.#deps = deps;
  }

  /** Undefined if the server is not reached over HTTP, or its entry has credentials of its own. */
  of(entry: ServerEntry): ServerLogin | undefined {
    if (!usesOAuth(entry)) return undefined;
    const name = nameOf(entry);
    const login = this.#logins.get(name) ?? this.#made(entry);
    this.#logins.set(name, login);
    return login;
  }

  /** The login that a connection to this server uses. Makes none, which would be followed from then on. */
  known(entry: ServerEntry): ServerLogin | undefined {
    return usesOAuth(entry) ? this.#logins.get(nameOf(entry)) : undefined;
  }

  /** Forgets the logins that none of these servers uses, so that their files are not watched any more. */
  keepOnly(entries: readonly ServerEntry[]): void {
    const names = new Set(entries.filter(usesOAuth).map(nameOf));
    for (const [name, login] of this.#logins) {
      if (names.has(name)) continue;
      login.close();
      this.#logins.delete(name);
    }
  }

  close(): void {
    this.keepOnly([]);
  }

  #made({ url, oauth }: UrlEntry): ServerLogin {
    const { store, clock, user } = this.#deps;
    const fetch = boundedFetch(this.#deps.fetch, clock);
    if (user !== undefined) {
      const grant = personGrant({ oauth, fetch, clock });
      return new ServerLogin({ key: userLoginKey(url, user), store, clock, grant, isRequired: true });
    }
    const key = loginKey(url);
    if (oauth?.grant === undefined) {
      return new ServerLogin({ key, store, clock, grant: personGrant({ oauth, fetch, clock }) });
    }
    // Kept in memory only, because another process can get its own token.
    const own = new MemoryLoginStore();
    return new ServerLogin({ key, store: own, clock, grant: machineGrant({ url: key, oauth, fetch, clock }) });
  }
}

/** Servers of one address share a login, unless their clients differ. */
function nameOf({ url, oauth }: UrlEntry): string {
  return JSON.stringify([loginKey(url), oauth]);
}

/** Whether requests to this server may carry a token from a login. */
export function usesOAuth(entry: ServerEntry): entry is UrlEntry {
  return 'url' in entry && !hasOwnCredentials(entry);
}
