// The OAuth login of a person. The program that runs it opens the address of `start` in a browser, receives the callback,
// and passes it to `finish`. The SDK does the discovery, the registration, and the exchange of the code.
//
//   start() ─► 401 of the server ─► its metadata ─► its authorization server ─► client known? registered? ─► address
//   address ─► browser ─► callback ─► finish(): state, error, issuer ─► code for tokens ─► store
import {
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  assertSecureTokenEndpoint,
  auth,
  computeScopeUnion,
  isStrictScopeSuperset,
} from '@modelcontextprotocol/client';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '@tidings/live';
import { isWebUrl } from '@tidings/live/portable';
import { isSameSecret } from '@tidings/live/internal';
import { loginKey } from '../base/login-key.ts';
import type { OAuthSettings } from '../config/config.ts';
import { clientAt } from './client-at.ts';
import type { Challenge } from './login-grant.ts';
import type { LoginStore } from './login-store.ts';
import { loginTokens } from './login-tokens.ts';
import { LoginRefused, quotedLine } from './login-refused.ts';
import { safeScope } from './safe-scope.ts';
import { type StoredLogin, emptyLogin } from './stored-login.ts';

interface LoginFlowDeps {
  /** The address of the server. */
  url: string;
  /** Where the login is stored: see login-key.ts. */
  key: string;
  oauth: OAuthSettings | undefined;
  /** The server's answer to a request without a login. */
  challenge: Challenge;
  /** Replaces the scope that the server asks for. */
  scope: string | undefined;
  /** The address of the callback, to which the browser is sent at the end. */
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
    for (const address of [this.#discovery?.authorizationServerUrl ?? '', this.#address]) requireSecure(address);
    return this.#address;
  }

  /** Whether a callback belongs to this login: any program on this machine can send one. */
  isOurs(callback: URLSearchParams): boolean {
    return isSameSecret(callback.get('state') ?? '', this.#state);
  }

  /** Stores the login. Throws a `LoginRefused` if the authorization server granted none. */
  async finish(callback: URLSearchParams): Promise<StoredLogin> {
    if (!this.isOurs(callback)) throw new LoginRefused('The callback does not belong to this login: start again.');
    const [code, iss] = [callback.get('code'), callback.get('iss')];
    if (code === null) throw LoginRefused.ofCallback(callback);
    await this.#auth({ authorizationCode: code, ...(iss !== null && { iss }) });
    return this.#login;
  }

  async #auth(more: { forceReauthorization?: boolean; authorizationCode?: string; iss?: string }): Promise<void> {
    const { url, challenge, fetch } = this.#deps;
    const { resourceMetadataUrl } = challenge;
    await auth(this.#provider(), {
      serverUrl: loginKey(url),
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
      // A configured client is never registered, whatever the authorization server answers.
      ...(oauth?.clientId === undefined && {
        saveClientInformation: (information, context) => this.#register(information, context?.issuer ?? ''),
      }),
      tokens: () => undefined,
      saveTokens: (tokens, context) => this.#save(tokens, context?.issuer ?? ''),
      redirectToAuthorization: (address) => {
        this.#address = address;
        // The SDK chooses a scope if the server names none. It counts as granted unless the token response says
        // otherwise.
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
   * The registered client; undefined to register anew, if the client was registered with another callback address or
   * for a smaller scope, or if its secret has expired.
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

  /** Stores the registration at once, so that it can be used again even if this login is not finished. */
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
    const stored = loginTokens(tokens, { issuer, now: clock.date(), requestedScope: this.#scope });
    const authorizationServer = {
      url: authorizationServerUrl ?? issuer,
      ...(metadata && { metadata }),
      ...(resourceMetadata && { resource: resourceMetadata.resource }),
    };
    await this.#edit(({ wantedScope: _wanted, ...login }) => ({
      ...login,
      id: randomUUID(),
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

/**
 * Requires https, except on this machine: the SDK checks only the token endpoint, and other schemes could start other
 * programs than a browser.
 */
function requireSecure(address: string | URL): void {
  const url = new URL(address);
  try {
    if (isWebUrl(url)) return void assertSecureTokenEndpoint(address);
  } catch {
    // Replaced by the error below, because the message of the SDK names the token endpoint.
  }
  throw new LoginRefused(
    `The server names an authorization server that is not reached over https: ${quotedLine(`${url.protocol}//${url.host}`)}`,
  );
}

/**
 * The scope that the server asks for now and asked for before, and the granted one: a new login must not allow less.
 */
function scopeOf({ scope, challenge, oauth }: LoginFlowDeps, { wantedScope, tokens }: StoredLogin): string | undefined {
  if (scope !== undefined) return scope;
  if (oauth?.scope !== undefined && wantedScope === undefined) return oauth.scope;
  const before = wantedScope === undefined ? undefined : tokens?.scope;
  return computeScopeUnion(oauth?.scope, safeScope(challenge.scope), before, wantedScope);
}
