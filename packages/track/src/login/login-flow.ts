// How a person logs in to a server, for the program that shows them the way: it opens the address in a browser, gets the
// callback, and gives it to `finish`. The SDK discovers, registers, and exchanges the code.
//
//   start() ─► 401 of the server ─► its metadata ─► its authorization server ─► client known? registered? ─► address
//   address ─► browser ─► callback ─► finish(): state, error, issuer ─► code for tokens ─► store
import {
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  auth,
  computeScopeUnion,
  isStrictScopeSuperset,
} from '@modelcontextprotocol/client';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@tidings/live';
import type { OAuthSettings } from '../config/config.ts';
import { clientAt } from './client-at.ts';
import type { Challenge } from './login-grant.ts';
import type { LoginStore } from './login-store.ts';
import { loginTokens } from './login-tokens.ts';
import { LoginRefused } from './login-refused.ts';
import { safeScope } from './safe-scope.ts';
import { type StoredLogin, emptyLogin } from './stored-login.ts';

export interface LoginFlowDeps {
  /** Of the server: see login-key.ts. */
  key: string;
  oauth: OAuthSettings | undefined;
  /** What the server said when it was asked without a login. */
  challenge: Challenge;
  /** Instead of what the server wants. */
  scope: string | undefined;
  /** Where the browser is sent at the end. */
  redirectUri: string;
  store: LoginStore;
  fetch: FetchLike;
  clock: Clock;
}

const clientName = 'Tidings';

export class LoginFlow {
  readonly #deps: LoginFlowDeps;
  readonly #state = randomBytes(24).toString('base64url');
  #login: StoredLogin;
  #scope: string | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;
  #address: URL | undefined;

  private constructor(deps: LoginFlowDeps, login: StoredLogin) {
    this.#deps = deps;
    this.#login = login;
    this.#scope = scopeOf(deps, login);
  }

  static async begin(deps: LoginFlowDeps): Promise<LoginFlow> {
    return new LoginFlow(deps, (await deps.store.read(deps.key)) ?? emptyLogin(deps.key));
  }

  /** The address at which the person logs in. */
  async start(): Promise<URL> {
    await this.#auth({ forceReauthorization: true });
    if (this.#address === undefined) throw new Error('The SDK gave no address to log in at.');
    return this.#address;
  }

  /** Whether a callback is the answer to this login: others may call, too. */
  isOurs(callback: URLSearchParams): boolean {
    const [given, own] = [callback.get('state') ?? '', this.#state].map((each) => Buffer.from(each));
    return given !== undefined && own !== undefined && given.length === own.length && timingSafeEqual(given, own);
  }

  /** Stores the login. Throws a `LoginRefused` where the authorization server gave none. */
  async finish(callback: URLSearchParams): Promise<StoredLogin> {
    if (!this.isOurs(callback)) throw new LoginRefused('The callback does not belong to this login: start again.');
    const [code, iss] = [callback.get('code'), callback.get('iss')];
    if (code === null) throw LoginRefused.ofCallback(callback);
    await this.#auth({ authorizationCode: code, ...(iss !== null && { iss }) });
    return this.#login;
  }

  async #auth(more: { forceReauthorization?: boolean; authorizationCode?: string; iss?: string }): Promise<void> {
    const { key, challenge, fetch } = this.#deps;
    const { resourceMetadataUrl } = challenge;
    await auth(this.#provider(), {
      serverUrl: key,
      fetchFn: fetch,
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(this.#scope !== undefined && { scope: this.#scope }),
      ...more,
    });
  }

  #provider(): OAuthClientProvider {
    const { oauth, redirectUri } = this.#deps;
    const { clientMetadataUrl } = oauth?.grant === undefined ? (oauth ?? {}) : {};
    return {
      redirectUrl: redirectUri,
      ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
      clientMetadata: {
        client_name: clientName,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
      state: () => this.#state,
      clientInformation: (context) => this.#client(context?.issuer ?? ''),
      // A client of the configuration is not registered, however the authorization server answers.
      ...(oauth?.clientId === undefined && {
        saveClientInformation: (information, context) => this.#register(information, context?.issuer ?? ''),
      }),
      tokens: () => undefined,
      saveTokens: (tokens, context) => this.#save(tokens, context?.issuer ?? ''),
      redirectToAuthorization: (address) => {
        this.#address = address;
        // The SDK chooses one where the server names none: what was asked for is granted unless it is said otherwise.
        this.#scope ??= address.searchParams.get('scope') ?? undefined;
      },
      saveCodeVerifier: (verifier) => {
        this.#verifier = verifier;
      },
      codeVerifier: () => this.#verifier,
      saveDiscoveryState: (discovery) => {
        this.#discovery = discovery;
      },
      discoveryState: () => this.#discovery,
    };
  }

  /**
   * One that was registered with another callback address, or for less than is asked for now, or whose secret has
   * expired, is registered again.
   */
  #client(issuer: string): StoredOAuthClientInformation | undefined {
    const { oauth, redirectUri, clock } = this.#deps;
    const registrations = this.#login.registrations.filter(({ redirectUri: own, information }) => {
      const { client_secret_expires_at: seconds = 0, scope } = information;
      if (scope !== undefined && isStrictScopeSuperset(this.#scope, scope)) return false;
      return own === redirectUri && (seconds === 0 || seconds * 1000 > clock.date());
    });
    return clientAt({ ...this.#login, registrations }, issuer, oauth)?.information;
  }

  /** At once, so that it is known the next time if this login is not finished. */
  async #register(information: StoredOAuthClientInformation, issuer: string): Promise<void> {
    const { redirectUri } = this.#deps;
    const own = { issuer, information: { ...information }, redirectUri };
    await this.#edit((login) => ({
      ...login,
      registrations: [...login.registrations.filter((each) => each.issuer !== issuer), own],
    }));
  }

  async #save(tokens: StoredOAuthTokens, issuer: string): Promise<void> {
    const { redirectUri, clock } = this.#deps;
    const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = this.#discovery ?? {};
    const stored = loginTokens(tokens, { issuer, now: clock.date(), asked: this.#scope });
    const authorizationServer = {
      url: authorizationServerUrl ?? issuer,
      ...(metadata && { metadata }),
      ...(resourceMetadata && { resource: resourceMetadata.resource }),
    };
    await this.#edit(({ wantedScope: _wanted, ...login }) => ({
      ...login,
      redirectUri,
      tokens: stored,
      authorizationServer,
    }));
  }

  async #edit(change: (login: StoredLogin) => StoredLogin): Promise<void> {
    const { store, key } = this.#deps;
    const login = await store.edit(key, async (stored) => change(stored ?? emptyLogin(key)));
    if (login) this.#login = login;
  }
}

/** What the server wants now and has wanted, and what was granted before: a new login must not allow less. */
function scopeOf({ scope, challenge, oauth }: LoginFlowDeps, { wantedScope, tokens }: StoredLogin): string | undefined {
  if (scope !== undefined) return scope;
  if (oauth?.scope !== undefined && wantedScope === undefined) return oauth.scope;
  const before = wantedScope === undefined ? undefined : tokens?.scope;
  return computeScopeUnion(oauth?.scope, safeScope(challenge.scope), before, wantedScope);
}
