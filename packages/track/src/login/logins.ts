// The logins of all servers of a tracker. This decides which entries have one: those that are reached over HTTP and do
// not say themselves how they authenticate.
import type { Clock } from '@tidings/live';
import type { ServerEntry, UrlEntry } from '../config/config.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { loginKey } from './login-key.ts';
import type { LoginStore } from './login-store.ts';
import { machineGrant } from './machine-grant.ts';
import { MemoryLoginStore } from './memory-login-store.ts';
import { personGrant } from './person-grant.ts';
import { ServerLogin } from './server-login.ts';

export interface LoginsDeps {
  /** Where people's logins are stored. */
  store: LoginStore;
  fetch: typeof fetch;
  clock: Clock;
}

export class Logins {
  readonly #deps: LoginsDeps;
  readonly #logins = new Map<string, ServerLogin>();

  constructor(deps: LoginsDeps) {
    this.#deps = deps;
  }

  /** Undefined: it needs none, or its entry has credentials of its own. */
  of(entry: ServerEntry): ServerLogin | undefined {
    if (!usesOAuth(entry)) return undefined;
    const name = JSON.stringify([loginKey(entry.url), entry.oauth]);
    const login = this.#logins.get(name) ?? this.#made(entry);
    this.#logins.set(name, login);
    return login;
  }

  close(): void {
    for (const login of this.#logins.values()) login.close();
  }

  #made({ url, oauth }: UrlEntry): ServerLogin {
    const { store, clock } = this.#deps;
    const fetch = boundedFetch(this.#deps.fetch, clock);
    const key = loginKey(url);
    if (oauth?.grant === undefined) {
      return new ServerLogin({ key, store, clock, grant: personGrant({ oauth, fetch, clock }) });
    }
    // Not stored: another process can get a token of its own as well.
    const own = new MemoryLoginStore();
    return new ServerLogin({ key, store: own, clock, grant: machineGrant({ url: key, oauth, fetch, clock }) });
  }
}

/** Whether requests to this server may carry a token that was got by logging in. */
export function usesOAuth(entry: ServerEntry): entry is UrlEntry {
  if (!('url' in entry)) return false;
  const { username, password } = new URL(entry.url);
  const hasHeader = Object.keys(entry.headers).some((name) => name.toLowerCase() === 'authorization');
  return !hasHeader && username === '' && password === '';
}
