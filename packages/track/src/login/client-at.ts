// Which client we are to an authorization server: the one of the configuration, or the one that was registered there.
import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { OAuthSettings } from '../config/config.ts';
import type { StoredLogin } from './stored-login.ts';

export interface ClientAtIssuer {
  issuer: string;
  information: StoredOAuthClientInformation;
}

/** Undefined: none is known. A client of the configuration belongs to the issuer that it names, if it names one. */
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

/** Whether its secret may be sent to this issuer. A slash at the end makes no difference. */
export function belongsTo(client: ClientAtIssuer, issuer: string): boolean {
  const [own, given] = [client.issuer, issuer].map((each) => each.replace(/\/$/, ''));
  return own === given;
}
