// The login of a machine (client credentials): it gets a token by itself, with a secret or a private key of its own.
import {
  type FetchLike,
  OAuthError,
  type OAuthClientProvider,
  createPrivateKeyJwtAuth,
  discoverOAuthServerInfo,
  fetchToken,
  selectResourceURL,
} from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import type { MachineOAuth } from '../config/config.ts';
import { GrantRefused, type LoginGrant } from './login-grant.ts';
import { loginTokens } from './login-tokens.ts';
import { safeScope } from './safe-scope.ts';
import { emptyLogin } from './stored-login.ts';

export interface MachineGrantDeps {
  /** Of the server. */
  url: string;
  oauth: MachineOAuth;
  fetch: FetchLike;
  clock: Clock;
}

/** Other errors pass. */
const passing: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable', 'too_many_requests']);

export function machineGrant({ url, oauth, fetch, clock }: MachineGrantDeps): LoginGrant {
  const client = machineClient(oauth);
  return {
    canRenew: () => true,
    renew: async (login, { resourceMetadataUrl, scope: wanted }) => {
      const info = await discoverOAuthServerInfo(url, {
        fetchFn: fetch,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
      });
      const { authorizationServerUrl: serverUrl, authorizationServerMetadata: metadata, resourceMetadata } = info;
      const issuer = metadata?.issuer ?? serverUrl;
      const selected = await selectResourceURL(url, client, resourceMetadata);
      const resource = selected && resourceMetadata?.resource;
      const scope = oauth.scope ?? safeScope(wanted) ?? safeScope(resourceMetadata?.scopes_supported?.join(' '));
      try {
        const tokens = await fetchToken(client, serverUrl, {
          fetchFn: fetch,
          ...(metadata && { metadata }),
          ...(resource !== undefined && { resource }),
          ...(scope !== undefined && { scope }),
        });
        const stored = loginTokens(tokens, { issuer, now: clock.date(), asked: scope });
        return { ...(login ?? emptyLogin(url)), tokens: stored };
      } catch (error) {
        if (error instanceof OAuthError && !passing.has(error.code)) throw new GrantRefused(error.message);
        throw error;
      }
    },
  };
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
