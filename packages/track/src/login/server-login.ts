// The login at one server, for all its sessions: which token a request carries, and what is done when the server rejects
// it. A token is renewed a little before it expires, by one request for all that need it, in whichever process.
//
//   request ─► isReady? ─yes─► accessToken ─► server ─401─► another(token) ─► newer in the store? ─yes─► again with it
//                 └─no─► token(): load, renew                                    └─no─► renew ─► again, or 401
import { computeScopeUnion, extractWWWAuthenticateParams, isStrictScopeSuperset } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { BoundedSet } from '@tidings/live/portable';
import { endsWithin } from '@tidings/live/time';
import type { Challenge, LoginGrant } from './login-grant.ts';
import { GrantRefused } from './login-grant.ts';
import { answerProblem } from './answer-problem.ts';
import { isExpired, isExpiring } from './login-tokens.ts';
import type { LoginStore } from './login-store.ts';
import { safeScope } from './safe-scope.ts';
import { type StoredLogin, emptyLogin } from './stored-login.ts';

interface ServerLoginDeps {
  key: string;
  store: LoginStore;
  grant: LoginGrant;
  clock: Clock;
  /** Whether requests without a token must not be sent. */
  isRequired?: boolean;
}

/** There is no token for a request that must have one. */
class LoginMissing extends Error {
  override readonly name = 'LoginMissing';
  /** The same status as if the server had refused the request. */
  readonly status = 401;

  constructor() {
    super('There is no login for this request.');
  }
}

/** How long requests wait for a renewal while the token is still valid. */
const patienceMs = 1000;
/** The pause after a failed renewal. Without it every request would try again. */
const pauseMs = 3000;
/** How long the login is not renewed for a server that has rejected a new token. */
const rejectedMs = 60_000;
/** How many tokens and secrets are remembered, to be removed from text of the server. */
const mostSecrets = 20;

export class ServerLogin {
  readonly #deps: ServerLoginDeps;
  #login: StoredLogin | undefined;
  #loading: Promise<void> | undefined;
  #isLoaded = false;
  #renewing: Promise<string | undefined> | undefined;
  #renewingSince = 0;
  #failed: { until: number; error: unknown } | undefined;
  /** The last token that was got because the server had rejected one. */
  #another: string | undefined;
  #rejectedUntil = Number.NEGATIVE_INFINITY;
  #challenge: Challenge = {};
  #problem = '';
  /** A renewed login that could not be stored, and the token in the store that it replaces. */
  #unstored: { replaced: string; login: StoredLogin } | undefined;
  readonly #secrets = new BoundedSet<string>(mostSecrets);
  readonly #replaced = new Set<() => void>();
  readonly #others = new Set<() => void>();
  readonly #unfollow: () => void;

  constructor(deps: ServerLoginDeps) {
    this.#deps = deps;
    this.#unfollow = deps.store.follow(deps.key, () => {
      this.#loading = undefined;
      // The next request reads the store again.
      this.#load().catch(() => undefined);
    });
  }

  /** Whether the next request can be sent at once with `accessToken`; otherwise wait for `token()`. */
  get isReady(): boolean {
    if (!this.#isLoaded) return false;
    if (this.isMissing) return false;
    return this.#login?.tokens === undefined || !this.#isDue(this.#deps.clock.date());
  }

  /** Whether requests without a token must not be sent. */
  get isRequired(): boolean {
    return this.#deps.isRequired === true;
  }

  /** Whether requests must have a token and there is none, as far as the store was read. */
  get isMissing(): boolean {
    return this.isRequired && this.#login?.tokens === undefined;
  }

  /** Undefined if requests carry no token. */
  get accessToken(): string | undefined {
    return this.#login?.tokens?.accessToken;
  }

  /** Why there is no token, if the authorization server said so; empty otherwise. */
  get problem(): string {
    return this.#problem;
  }

  /** The scope that the server asked for, if it is more than was granted. */
  get wantedScope(): string | undefined {
    const { wantedScope, tokens } = this.#login ?? {};
    return isStrictScopeSuperset(wantedScope, tokens?.scope) ? wantedScope : undefined;
  }

  /** The tokens and client secrets, which must not be shown. */
  get secrets(): Iterable<string> {
    return this.#secrets;
  }

  /**
   * The token for a request. Rejects if the present one has expired and the renewal failed without a clear answer, and
   * with `LoginMissing`.
   */
  async token(): Promise<string | undefined> {
    const token = await this.#current();
    if (token === undefined && this.isRequired) throw new LoginMissing();
    return token;
  }

  async #current(): Promise<string | undefined> {
    await this.#load();
    const tokens = this.#login?.tokens;
    const { clock } = this.#deps;
    if (!tokens || !this.#isDue(clock.date())) return tokens?.accessToken;
    const renewing = this.#renew(tokens.accessToken);
    // While the present token is valid, requests do not wait long for the authorization server.
    const leftMs = Math.max(0, this.#renewingSince + patienceMs - clock.now());
    if (!isExpired(tokens, clock.date())) await endsWithin(clock, leftMs, ignoringFailure(renewing));
    return isExpired(tokens, clock.date()) ? renewing : this.accessToken;
  }

  /**
   * Call it when the server has rejected a token or requires one. Resolves with another token to try; undefined if
   * there is none.
   */
  async another(rejected: string | undefined, response: Response): Promise<string | undefined> {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    this.#challenge = { resourceMetadataUrl, scope };
    // Either the request was sent with an older token, or another process has stored a newer one.
    if (this.accessToken !== rejected) return this.accessToken;
    this.#loading = undefined;
    await this.#load();
    if (this.accessToken !== rejected) return this.accessToken;
    const { grant, clock } = this.#deps;
    if (clock.now() < this.#rejectedUntil || !grant.canRenew(this.#login)) return undefined;
    this.#another = await this.#renew(rejected);
    return this.#another;
  }

  /** The server has rejected the renewed token, too. Without the pause, hubs on one data folder would renew in turns. */
  rejectedAgain(other: string): void {
    if (other === this.#another) this.#rejectedUntil = this.#deps.clock.now() + rejectedMs;
  }

  /** Call it when the server answers 403. If the scope was insufficient, the next login asks for the missing scope. */
  async refused(response: Response): Promise<void> {
    const { error, scope } = extractWWWAuthenticateParams(response);
    const wanted = error === 'insufficient_scope' ? safeScope(scope) : undefined;
    if (!isStrictScopeSuperset(wanted, this.#login?.wantedScope)) return;
    const { store, key } = this.#deps;
    const login = await store.edit(key, async (inStore) => {
      const stored = this.#newest(inStore) ?? emptyLogin(key);
      const wantedScope = safeScope(computeScopeUnion(stored.wantedScope, wanted));
      return { ...stored, ...(wantedScope !== undefined && { wantedScope }) };
    });
    this.#take(login);
  }

  /** Resolves when there is a token that differs from the present one. */
  untilReplaced(signal: AbortSignal): Promise<void> {
    const present = this.accessToken;
    return new Promise((resolve) => {
      const look = () => {
        if (this.accessToken !== undefined && this.accessToken !== present) resolve();
      };
      this.#replaced.add(look);
      signal.addEventListener('abort', () => this.#replaced.delete(look), { once: true });
    });
  }

  /** Calls `listener` when a person has logged in or out, or the login has ended. Returns a function that stops this. */
  onOther(listener: () => void): () => void {
    this.#others.add(listener);
    return () => this.#others.delete(listener);
  }

  close(): void {
    this.#unfollow();
  }

  #isDue(now: number): boolean {
    const tokens = this.#login?.tokens;
    if (tokens === undefined || !isExpiring(tokens, now) || !this.#deps.grant.canRenew(this.#login)) return false;
    // While renewals pause, the present token is used until it expires.
    return this.#pausedBy === undefined || isExpired(tokens, now);
  }

  get #pausedBy(): { error: unknown } | undefined {
    return this.#failed && this.#deps.clock.now() < this.#failed.until ? this.#failed : undefined;
  }

  /** Ignores the result of a read during which the login was changed. */
  #load(): Promise<void> {
    if (this.#loading) return this.#loading;
    const { store, key } = this.#deps;
    const loading: Promise<void> = store.read(key).then(
      (login) => {
        if (this.#loading !== loading) return this.#loading ?? this.#load();
        this.#take(this.#newest(login));
        return undefined;
      },
      (error: unknown) => {
        if (this.#loading === loading) this.#loading = undefined;
        throw error;
      },
    );
    this.#loading = loading;
    return loading;
  }

  #renew(old: string | undefined): Promise<string | undefined> {
    const paused = this.#pausedBy;
    if (paused) return Promise.reject(paused.error);
    if (this.#renewing) return this.#renewing;
    this.#renewingSince = this.#deps.clock.now();
    this.#renewing = this.#renewed(old).finally(() => void (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renewed(old: string | undefined): Promise<string | undefined> {
    const { store, key, grant, clock } = this.#deps;
    let isRenewed = false;
    const use = (login: StoredLogin | undefined) => {
      this.#problem = '';
      this.#take(login);
      return this.accessToken === old ? undefined : this.accessToken;
    };
    try {
      const login = await store.edit(key, async (inStore) => {
        const stored = this.#newest(inStore);
        const present = stored?.tokens?.accessToken;
        // Another process has renewed it already.
        if (present !== undefined && present !== old) return stored;
        const renewed = await grant.renew(stored, this.#challenge);
        const replaced = inStore?.tokens?.accessToken;
        if (renewed?.tokens && replaced !== undefined) {
          this.#unstored = { replaced, login: renewed };
          isRenewed = true;
        }
        return renewed;
      });
      this.#unstored = undefined;
      return use(login);
    } catch (error) {
      // The disk may be full. The old refresh token is used up, so the new one is kept here.
      if (isRenewed) return use(this.#unstored?.login);
      const cause = answerProblem(error);
      this.#problem = cause.message;
      if (error instanceof GrantRefused) return undefined;
      const failure = new TypeError('The login could not be renewed', { cause });
      this.#failed = { until: clock.now() + pauseMs, error: failure };
      throw failure;
    }
  }

  /** The renewed login, unless another one was stored meanwhile. */
  #newest(inStore: StoredLogin | undefined): StoredLogin | undefined {
    const { replaced, login } = this.#unstored ?? {};
    return replaced !== undefined && inStore?.tokens?.accessToken === replaced ? login : inStore;
  }

  #take(login: StoredLogin | undefined): void {
    const isOther = this.#isLoaded && idOf(this.#login) !== idOf(login);
    this.#login = login;
    this.#isLoaded = true;
    this.#loading = Promise.resolve();
    this.#remember(login);
    for (const look of this.#replaced) look();
    if (isOther) for (const tell of this.#others) tell();
  }

  #remember(login: StoredLogin | undefined): void {
    const { accessToken, refreshToken } = login?.tokens ?? {};
    const registered = login?.registrations.map(({ information }) => information.client_secret) ?? [];
    for (const secret of [accessToken, refreshToken, ...registered]) {
      if (secret) this.#secrets.add(secret);
    }
  }
}

/** Undefined without a login. Logins of earlier versions have no id. */
function idOf(login: StoredLogin | undefined): string | undefined {
  return login?.tokens && (login.id ?? '');
}

async function ignoringFailure(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}
