// The logins of users at servers with logins per user. A user begins and finishes one over the HTTP of a hub; tokens,
// and the secret with which the code is exchanged, stay here.
//
//   begin() ─► address ─► the user's browser ─► 127.0.0.1 on the user's own machine ─► finish(): code for tokens
//
// A login can be finished only by the user who began it, and the browser is sent to the user's own machine. Without
// this, a user could send the link to another person and get that person's login.
import { type Clock, LimitExceeded, LiveError } from '@tidings/live';
import { boundedFetch } from '@tidings/live/internal';
import { timeLimit } from '@tidings/live/time';
import { userLoginKey } from '../base/login-key.ts';
import type { UrlEntry } from '../config/config.ts';
import { type EndedLogin, endLogin } from './end-login.ts';
import { LoginFlow } from './login-flow.ts';
import type { Challenge } from './login-grant.ts';
import type { LoginStore } from './login-store.ts';
import type { StoredLogin } from './stored-login.ts';

export interface UserLoginsDeps {
  store: LoginStore;
  fetch: typeof fetch;
  /** The answer of the server to a request without a login; undefined if it requires none. */
  challenge(this: void, entry: UrlEntry, signal: AbortSignal): Promise<Challenge | undefined>;
  clock: Clock;
}

export interface LoginRequest {
  /** Where the browser is sent at the end: `http://127.0.0.1:PORT/callback`. */
  redirectUri: string;
  scope?: string | undefined;
}

export interface BegunLogin {
  /** Where the user logs in. */
  readonly address: URL;
  /** Milliseconds since the epoch: until when it can be finished. */
  readonly until: number;
}

/** A login as its user may see it: no tokens. */
export interface UserLogin {
  readonly issuer: string;
  readonly scope: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
  readonly renews: boolean;
}

interface Pending {
  readonly until: number;
  /** Undefined while the address is being found out. */
  flow: LoginFlow | undefined;
}

/** How long a user may take to log in. */
const longestMs = 10 * 60_000;
/** Logins that are begun and not finished, of all users. */
const mostPending = 1000;
/** How often one user may begin a login within `longestMs`: each may register a client at the authorization server. */
const mostBegun = 20;
const challengeMs = 30_000;
const revocationMs = 5000;
/** The person who logs in is on the machine of the command: no other address gets the code. */
const ownMachine = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})\/callback$/;
const highestPort = 65_535;

export class UserLogins {
  readonly #deps: UserLoginsDeps;
  /** The begun logins by the key of the login; the oldest first. */
  readonly #pending = new Map<string, Pending>();
  /** The ends of the times that count for `mostBegun`, by user. */
  readonly #begun = new Map<string, readonly number[]>();

  constructor(deps: UserLoginsDeps) {
    this.#deps = deps;
  }

  /** A login that the user has begun at this server before cannot be finished any more. */
  async begin(user: string, entry: UrlEntry, { redirectUri, scope }: LoginRequest): Promise<BegunLogin> {
    if (!isOwnMachine(redirectUri)) {
      throw new LiveError(
        'INVALID_PARAMS',
        'redirectUri: must be http://127.0.0.1:PORT/callback, of your own command.',
      );
    }
    const key = userLoginKey(entry.url, user);
    const pending = this.#admit(key, user);
    try {
      const flow = await this.#flow(key, entry, { redirectUri, scope });
      const address = await flow.start();
      pending.flow = flow;
      return { address, until: pending.until };
    } catch (error) {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
      throw error;
    }
  }

  /** Throws a `LoginRefused` if the authorization server granted none. */
  async finish(user: string, { url }: UrlEntry, callback: URLSearchParams): Promise<UserLogin> {
    this.#forgetLate();
    const key = userLoginKey(url, user);
    const flow = this.#pending.get(key)?.flow;
    if (flow?.isOurs(callback) !== true) {
      const message = 'This is not the login that you have begun here, or it took too long: begin again.';
      throw new LiveError('INVALID_PARAMS', message);
    }
    // A code can be used only once.
    this.#pending.delete(key);
    const login = shown(await flow.finish(callback));
    if (login === undefined) throw new LiveError('UNAVAILABLE', 'The login was ended meanwhile: begin again.');
    return login;
  }

  async end(user: string, { url, oauth }: UrlEntry): Promise<EndedLogin> {
    const { store, clock } = this.#deps;
    const key = userLoginKey(url, user);
    this.#pending.delete(key);
    const fetch = boundedFetch(this.#deps.fetch, clock, { withinMs: revocationMs });
    return endLogin({ key, oauth, store, fetch });
  }

  /** Without `login`, the user is not logged in. `redirectUri`: where the browser was sent at the last login. */
  async of(
    user: string,
    { url }: UrlEntry,
  ): Promise<{ login?: UserLogin | undefined; redirectUri?: string | undefined }> {
    const stored = await this.#deps.store.read(userLoginKey(url, user));
    return { login: shown(stored), redirectUri: stored?.redirectUri };
  }

  async #flow(key: string, entry: UrlEntry, { redirectUri, scope }: LoginRequest): Promise<LoginFlow> {
    const { store, clock, challenge } = this.#deps;
    const limit = timeLimit(clock, challengeMs);
    try {
      const loginChallenge = await challenge(entry, limit.signal);
      if (loginChallenge === undefined)
        throw new LiveError('INVALID_PARAMS', `"${entry.id}" can be used without a login.`);
      const { url, oauth } = entry;
      const fetch = boundedFetch(this.#deps.fetch, clock);
      return await LoginFlow.begin({
        url,
        key,
        oauth,
        challenge: loginChallenge,
        scope,
        redirectUri,
        store,
        fetch,
        clock,
      });
    } finally {
      limit.clear();
    }
  }

  #admit(key: string, user: string): Pending {
    this.#forgetLate();
    const until = this.#deps.clock.date() + longestMs;
    const begun = this.#begun.get(user) ?? [];
    const [first = until] = begun;
    if (begun.length >= mostBegun) throw tooMany('You have begun', first - this.#deps.clock.date());
    this.#pending.delete(key);
    const [oldest] = this.#pending.values();
    if (oldest !== undefined && this.#pending.size >= mostPending)
      throw tooMany('The users of this hub have begun', oldest.until - this.#deps.clock.date());
    this.#begun.set(user, [...begun, until]);
    const pending: Pending = { until, flow: undefined };
    this.#pending.set(key, pending);
    return pending;
  }

  #forgetLate(): void {
    const now = this.#deps.clock.date();
    for (const [key, { until }] of this.#pending) if (until <= now) this.#pending.delete(key);
    for (const [user, times] of this.#begun) {
      const left = times.filter((until) => until > now);
      if (left.length === 0) this.#begun.delete(user);
      else this.#begun.set(user, left);
    }
  }
}

function isOwnMachine(redirectUri: string): boolean {
  const port = ownMachine.exec(redirectUri)?.[1];
  return port !== undefined && Number(port) <= highestPort;
}

function shown(login: StoredLogin | undefined): UserLogin | undefined {
  if (login?.tokens === undefined) return undefined;
  const { issuer, scope, expiresAt, refreshToken } = login.tokens;
  return { issuer, scope, expiresAt, renews: refreshToken !== undefined };
}

function tooMany(who: string, leftMs: number): LimitExceeded {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new LimitExceeded(`${who} too many logins in a short time: try again in ${seconds} s.`, seconds);
}
