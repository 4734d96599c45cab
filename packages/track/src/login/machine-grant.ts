// The login of a machine (client credentials): gets a token by itself, with a secret or a private key, from the
// configured issuer.
import {
  type FetchLike,
  OAuthError,
  type OAuthClientProvider,
  type OAuthProtectedResourceMetadata,
  createPrivateKeyJwtAuth,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  fetchToken,
  selectResourceURL,
} from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import type { MachineOAuth } from '../config/config.ts';
import { GrantRefused, type LoginGrant } from './login-grant.ts';
import { loginTokens } from './login-tokens.ts';
import { safeScope } from './safe-scope.ts';
import { emptyLogin } from './stored-login.ts';

interface MachineGrantDeps {
  /** The address of the server. */
  url: string;
  oauth: MachineOAuth;
  fetch: FetchLike;
  clock: Clock;
}

/** Temporary errors, after which the grant is tried again. */
const passing: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable', 'too_many_requests']);

export function machineGrant({ url, oauth, fetch, clock }: MachineGrantDeps): LoginGrant {
  const client = machineClient(oauth);
  return {
    canRenew: () => true,
    renew: async (login, { resourceMetadataUrl, scope: wanted }) => {
      const { issuer } = oauth;
      const resourceMetadata = await metadataOf(url, resourceMetadataUrl, fetch);
      const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
      const selected = await selectResourceURL(url, client, resourceMetadata);
      const resource = selected && resourceMetadata?.resource;
      const scope = oauth.scope ?? safeScope(wanted) ?? safeScope(resourceMetadata?.scopes_supported?.join(' '));
      try {
        const tokens = await fetchToken(client, issuer, {
          fetchFn: fetch,
          ...(metadata && { metadata }),
          ...(resource !== undefined && { resource }),
          ...(scope !== undefined && { scope }),
        });
        const stored = loginTokens(tokens, { issuer, now: clock.date(), requestedScope: scope });
        return { ...(login ?? emptyLogin(url)), tokens: stored };
      } catch (error) {
        if (error instanceof OAuthError && !passing.has(error.code)) throw new GrantRefused(error.message);
        throw error;
      }
    },
  };
}

/** The server's resource metadata, read from its own origin only, since the configuration names the issuer. */
async function metadataOf(
  url: string,
  named: URL | undefined,
  fetch: FetchLike,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const { origin } = new URL(url);
  const own = named?.origin === origin ? { resourceMetadataUrl: named } : {};
  const within: FetchLike = (input, init) => fetch(input, { ...init, redirect: 'error' });
  return discoverOAuthProtectedResourceMetadata(url, own, within).catch((error: unknown) => {
    // The server has no such metadata.
    if (!(error instanceof TypeError)) return undefined;
    throw error;
  });
}

function machineClient({ clientId, clientSecret, issuer, privateKey, algorithm }: MachineOAuth): OAuthClientProvider {
  const unused = () => {
    throw new Error('Client credentials need no authorization by a person.');
  };
  return {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [], grant_types: ['client_credentials'] },
    clientInformation: () => ({ client_id: clientId, client_secret: clientSecret, issuer }),
    tokens: () => undefined,
    saveTokens: unused,
    redirectToAuthorization: unused,
    saveCodeVerifier: unused,
    codeVerifier: unused,
    prepareTokenRequest: (scope) =>
      new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
    ...(privateKey !== undefined && {
      addClientAuthentication: createPrivateKeyJwtAuth({
        issuer: clientId,
        subject: clientId,
        privateKey,
        alg: algorithm,
      }),
    }),
  };
}
