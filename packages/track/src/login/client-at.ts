// Finds the OAuth client for an authorization server: the one in the configuration, or the one that was registered
// there.
import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { OAuthSettings } from '../config/config.ts';
import type { StoredLogin } from './stored-login.ts';

export interface ClientAtIssuer {
  issuer: string;
  information: StoredOAuthClientInformation;
}

/** Undefined if no client is known. A configured client belongs to the issuer in the configuration, if there is one. */
export function clientAt(
  login: StoredLogin | undefined,
  issuer: string,
  oauth: OAuthSettings | undefined,
): ClientAtIssuer | undefined {
  if (oauth?.clientId !== undefined) {
    const { clientId: client_id, clientSecret: client_secret, issuer: own = issuer } = oauth;
    return { issuer: own, information: { client_id, client_secret, issuer: own } };
  }
  const found = login?.registrations.find((each) => each.issuer === issuer);
  return found && { issuer, information: { ...found.information, issuer } };
}

/** Whether the client's secret may be sent to this issuer. Ignores a slash at the end. */
export function belongsTo(client: ClientAtIssuer, issuer: string): boolean {
  const [own, given] = [client.issuer, issuer].map((each) => each.replace(/\/$/, ''));
  return own === given;
}
