import type { FetchLike } from '@modelcontextprotocol/client';
import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { personGrant } from './person-grant.ts';
import type { StoredLogin } from './stored-login.ts';

const issuer = 'https://id.example.com';
const login: StoredLogin = {
  url: 'https://example.com/mcp',
  registrations: [{ issuer, information: { client_id: 'me' }, redirectUri: 'http://127.0.0.1:1024/callback' }],
  tokens: { accessToken: 'old', refreshToken: 'refresh', scope: 'read', issuer, obtainedAt: 0 },
  authorizationServer: { url: issuer, resource: 'https://example.com/mcp' },
};

/** Renews with an authorization server that answers so. */
function renewal(status: number, body: unknown, oauth?: { clientId: string; clientSecret: string; issuer: string }) {
  const asked: URLSearchParams[] = [];
  const fetch: FetchLike = async (_url, init) => {
    if (init?.body instanceof URLSearchParams) asked.push(init.body);
    return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
  };
  const grant = personGrant({ oauth, fetch, clock: new FakeClock() });
  return { asked, renewed: () => grant.renew(login, {}) };
}

it('requests the same resource, and keeps the refresh token and scope if the response has none', async () => {
  const { asked, renewed } = renewal(200, { access_token: 'new', token_type: 'Bearer', expires_in: 60 });
  expect((await renewed())?.tokens).toMatchObject({ accessToken: 'new', refreshToken: 'refresh', scope: 'read' });
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({ client_id: 'me', resource: 'https://example.com/mcp' });
});

it('has ended if the authorization server says so; an unknown client is registered again', async () => {
  expect(await renewal(400, { error: 'invalid_grant' }).renewed()).toMatchObject({ registrations: [{ issuer }] });
  expect((await renewal(400, { error: 'invalid_grant' }).renewed())?.tokens).toBeUndefined();
  expect(await renewal(401, { error: 'invalid_client' }).renewed()).toMatchObject({ registrations: [] });
});

it.each([
  [503, 'busy'],
  [500, { error: 'server_error' }],
  [429, { error: 'too_many_requests' }],
  [400, { error: 'invalid_request' }],
])('is kept at %i %j', async (status, body) => {
  await expect(renewal(status, body).renewed()).rejects.toThrow();
});

it('has ended if the configuration names another issuer; that one gets no token, and the old one no secret', async () => {
  const oauth = { clientId: 'me', clientSecret: 'secret', issuer: 'https://other.example.com' };
  const { asked, renewed } = renewal(200, {}, oauth);
  expect((await renewed())?.tokens).toBeUndefined();
  expect(asked).toEqual([]);
});
