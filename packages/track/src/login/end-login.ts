// Ends a login: revokes its tokens if the authorization server supports that (RFC 7009), and deletes them. The client
// stays registered, for the next login.
import { type FetchLike, assertSecureTokenEndpoint } from '@modelcontextprotocol/client';
import { messageOf } from '@tidings/live/portable';
import type { OAuthSettings } from '../config/config.ts';
import { belongsTo, clientAt } from './client-at.ts';
import type { LoginStore } from './login-store.ts';
import { quotedLine } from './login-refused.ts';
import type { StoredLogin } from './stored-login.ts';

interface EndLoginDeps {
  key: string;
  oauth: OAuthSettings | undefined;
  store: LoginStore;
  fetch: FetchLike;
}

export interface EndedLogin {
  /** Whether there was a login. */
  wasLoggedIn: boolean;
  /** Whether the authorization server has revoked the tokens; `unsupported` if it offers no revocation. */
  revoked: 'yes' | 'no' | 'unsupported';
  /** Why they were not revoked. */
  reason?: string;
}

/** The tokens are deleted even if they cannot be revoked. */
export async function endLogin({ key, oauth, store, fetch }: EndLoginDeps): Promise<EndedLogin> {
  let ended: EndedLogin = { wasLoggedIn: false, revoked: 'no' };
  // The lock of an edit would leave a file for any address.
  if (!(await store.has(key))) return ended;
  await store.edit(key, async (login) => {
    // What cannot be read may still have tokens.
    if (login === undefined) ended = { wasLoggedIn: true, revoked: 'no', reason: 'its file is damaged' };
    if (login?.tokens === undefined) return login;
    const { tokens: _tokens, wantedScope: _wanted, ...rest } = login;
    ended = await revoke(login, oauth, fetch).then(
      (isRevoked) => ({ wasLoggedIn: true, revoked: isRevoked ? 'yes' : 'unsupported' }) as const,
      (error: unknown) => ({ wasLoggedIn: true, revoked: 'no', reason: reasonOf(error, login, oauth) }) as const,
    );
    return rest;
  });
  return ended;
}

/** Returns whether the tokens were revoked. Revoking a refresh token also ends its access tokens. */
async function revoke(login: StoredLogin, oauth: OAuthSettings | undefined, fetch: FetchLike): Promise<boolean> {
  const { tokens, authorizationServer } = login;
  const client = tokens && clientAt(login, tokens.issuer, oauth);
  const endpoint = Object(authorizationServer?.metadata).revocation_endpoint;
  if (tokens === undefined || client === undefined || typeof endpoint !== 'string') return false;
  if (!belongsTo(client, tokens.issuer)) return false;
  for (const [token, hint] of [
    [tokens.refreshToken, 'refresh_token'],
    [tokens.accessToken, 'access_token'],
  ] as const) {
    if (token === undefined) continue;
    const body = new URLSearchParams({ token, token_type_hint: hint });
    const headers = new Headers({ 'Content-Type': 'application/x-www-form-urlencoded' });
    identify(client.information, body, headers);
    const response = await fetch(assertSecureTokenEndpoint(endpoint), {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
    });
    if (!response.ok) throw new Error(`HTTP ${response.status} ${await response.text()}`);
  }
  return true;
}

function identify(
  { client_id: id, client_secret: secret, ...rest }: { client_id: string; client_secret?: string | undefined },
  body: URLSearchParams,
  headers: Headers,
): void {
  const method = Object(rest).token_endpoint_auth_method;
  if (secret === undefined || method === 'client_secret_post' || method === 'none') {
    body.set('client_id', id);
    if (secret !== undefined && method !== 'none') body.set('client_secret', secret);
  } else {
    const credentials = [id, secret].map((each) => encodeURIComponent(each)).join(':');
    headers.set('Authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  }
}

/** The authorization server may quote the request. */
function reasonOf(error: unknown, { tokens, registrations }: StoredLogin, oauth: OAuthSettings | undefined): string {
  const registered = registrations.map(({ information }) => information.client_secret);
  const secrets = [tokens?.refreshToken, tokens?.accessToken, oauth?.clientSecret, ...registered];
  const text = messageOf(error);
  return quotedLine(secrets.reduce<string>((shown, secret) => (secret ? shown.replaceAll(secret, '…') : shown), text));
}
