// A real authorization server (oidc-provider) on loopback. Opening the address logs its only user in and grants all
// requests. It rotates refresh tokens: the second use of one ends the login.
import { once } from 'node:events';
import { createServer } from 'node:http';

export class AuthorizationServer {
  /** The requests to the token endpoint, with their results: "refresh_token ok". */
  tokenRequests = [];
  /** A status that the token endpoint answers instead. */
  tokenFault = undefined;
  /** The callback's parameters when login is refused. */
  refusal = undefined;
  /** The lifetime of access tokens in seconds. */
  tokenLife = 3600;
  scopes = ['notes:read', 'notes:write'];
  /** The format of access tokens: `jwt` can be verified by others. */
  tokenFormat = 'opaque';
  /** The account that logs in. */
  user = 'a-user';
  #http;
  #provider;
  #grants = new Set();
  #issued = new Set();
  #forgotten = new Set();

  static async start() {
    const server = new AuthorizationServer();
    server.#http = createServer((req, res) => void server.#answer(req, res));
    server.#http.listen(0, '127.0.0.1');
    await once(server.#http, 'listening');
    server.#provider = await server.#made();
    return server;
  }

  get issuer() {
    return `http://127.0.0.1:${this.#http.address().port}`;
  }

  /** The scopes of a token at a resource; undefined if it is not valid there. */
  async scopesOf(token, resource) {
    const found =
      (await this.#provider.AccessToken.find(token)) ?? (await this.#provider.ClientCredentials.find(token));
    if (!found || found.isExpired || this.#forgotten.has(token) || found.aud !== resource) return undefined;
    return (found.scope ?? '').split(' ');
  }

  /** The account of a token; undefined if it is not valid at this resource. */
  async ownerOf(token, resource) {
    if ((await this.scopesOf(token, resource)) === undefined) return undefined;
    return (await this.#provider.AccessToken.find(token))?.accountId;
  }

  /** Ends every login: access and refresh tokens become invalid. */
  async revokeAll() {
    for (const id of this.#grants) await this.#provider.AccessToken.revokeByGrantId(id);
  }

  /** Makes all issued access tokens invalid; their refresh tokens stay valid. */
  forgetAccessTokens() {
    for (const token of this.#issued) this.#forgotten.add(token);
  }

  async [Symbol.asyncDispose]() {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  async #made() {
    const { Provider } = await quietly(() => import('oidc-provider'));
    const provider = quietly(
      () =>
        new Provider(this.issuer, {
          clients: [
            {
              client_id: 'machine',
              client_secret: 'the-secret-of-the-machine',
              redirect_uris: [],
              response_types: [],
              grant_types: ['client_credentials'],
            },
          ],
          scopes: ['offline_access', ...this.scopes],
          features: {
            devInteractions: { enabled: false },
            registration: { enabled: true },
            revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
            clientCredentials: { enabled: true },
            resourceIndicators: {
              enabled: true,
              getResourceServerInfo: (_ctx, resource) => ({
                scope: this.scopes.join(' '),
                audience: resource,
                accessTokenTTL: this.tokenLife,
                accessTokenFormat: this.tokenFormat,
                jwt: { sign: { alg: 'RS256' } },
              }),
              useGrantedResource: () => true,
            },
          },
          issueRefreshToken: () => true,
          rotateRefreshToken: true,
          findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
          interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
          ttl: {
            AccessToken: () => this.tokenLife,
            ClientCredentials: () => this.tokenLife,
            Grant: 3600,
            Interaction: 600,
            Session: 3600,
            RefreshToken: 3600,
          },
          cookies: { keys: ['a key of the test'] },
        }),
    );
    const told = (outcome) => (ctx) => {
      this.tokenRequests.push(`${ctx.oidc.params.grant_type} ${outcome}`);
      if (ctx.oidc.entities.Grant) this.#grants.add(ctx.oidc.entities.Grant.jti);
    };
    provider.on('grant.success', (ctx) => this.#issued.add(ctx.body.access_token));
    provider.on('grant.success', told('ok'));
    provider.on('grant.error', told('refused'));
    return provider;
  }

  async #answer(req, res) {
    const { pathname } = new URL(req.url, this.issuer);
    if (pathname.startsWith('/interaction/')) return this.#interaction(req, res);
    if (pathname === '/token' && this.tokenFault !== undefined) {
      this.tokenRequests.push('fault');
      return res.writeHead(this.tokenFault).end('out of order');
    }
    return this.#provider.callback()(req, res);
  }

  /** The page at which a user would type a password and agree. */
  async #interaction(req, res) {
    const { params, grantId } = await this.#provider.interactionDetails(req, res);
    if (this.refusal !== undefined) return this.#provider.interactionFinished(req, res, this.refusal);
    const accountId = this.user;
    const grant = grantId ? await this.#provider.Grant.find(grantId) : undefined;
    const agreed = grant ?? new this.#provider.Grant({ accountId, clientId: params.client_id });
    agreed.addOIDCScope(`openid offline_access ${params.scope ?? ''}`);
    if (params.resource) agreed.addResourceScope(params.resource, params.scope ?? '');
    const result = { login: { accountId }, consent: { grantId: await agreed.save() } };
    return this.#provider.interactionFinished(req, res, result);
  }
}

/** Hides warnings about Node versions and about settings that do not matter in tests. */
function quietly(work) {
  const said = { info: console.info, warn: console.warn };
  const silence = () => undefined;
  Object.assign(console, { info: silence, warn: silence });
  const restore = () => Object.assign(console, said);
  const made = work();
  if (made instanceof Promise) return made.finally(restore);
  restore();
  return made;
}
