// The login of a person: exchanges its refresh token for a new token, at the authorization server that issued it.
import { type FetchLike, OAuthError, OAuthErrorCode, refreshAuthorization } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import type { OAuthSettings } from '../config/config.ts';
import { type ClientAtIssuer, belongsTo, clientAt } from './client-at.ts';
import type { LoginGrant } from './login-grant.ts';
import { loginTokens } from './login-tokens.ts';
import type { StoredLogin } from './stored-login.ts';

interface PersonGrantDeps {
  oauth: OAuthSettings | undefined;
  fetch: FetchLike;
  clock: Clock;
}

/** The login has ended: it was revoked, or its refresh token was used twice. */
const ended: ReadonlySet<string> = new Set([OAuthErrorCode.InvalidGrant]);
/** The authorization server does not know this client any more. */
const unknownClient: ReadonlySet<string> = new Set([OAuthErrorCode.InvalidClient, OAuthErrorCode.UnauthorizedClient]);

export function personGrant({ oauth, fetch, clock }: PersonGrantDeps): LoginGrant {
  return {
    canRenew: (login) => login?.tokens?.refreshToken !== undefined,
    renew: async (login) => {
      const { tokens, authorizationServer: server } = login ?? {};
      const client = login && tokens && clientAt(login, tokens.issuer, oauth);
      const { refreshToken } = tokens ?? {};
      if (!login || !tokens || !server || !client || refreshToken === undefined) return login;
      // The entry was edited, and its client now belongs to another authorization server.
      if (!belongsTo(client, tokens.issuer)) return withoutTokens(login);
      try {
        const renewed = await refreshAuthorization(server.url, {
          ...(server.metadata && { metadata: server.metadata }),
          ...(server.resource !== undefined && { resource: server.resource }),
          clientInformation: client.information,
          refreshToken,
          fetchFn: fetch,
        });
        const terms = { issuer: tokens.issuer, now: clock.date(), requestedScope: tokens.scope };
        return { ...login, tokens: loginTokens(renewed, terms) };
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        if (ended.has(error.code)) return withoutTokens(login);
        if (unknownClient.has(error.code)) return withoutClient(withoutTokens(login), client);
        throw error;
      }
    },
  };
}

function withoutTokens({ tokens: _tokens, ...login }: StoredLogin): StoredLogin {
  return login;
}

function withoutClient(login: StoredLogin, { issuer }: ClientAtIssuer): StoredLogin {
  return { ...login, registrations: login.registrations.filter((each) => each.issuer !== issuer) };
}
