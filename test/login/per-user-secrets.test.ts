// An authorization server that quotes requests in its errors: a user is shown neither the secret of the hub's client nor
// a token.
import { begunLogin, endedLogin } from '@tidings/client/contract';
import { expect, it, onTestFinished } from 'vitest';
import { runningHub } from '../hub/running-hub.ts';
import { AccountServer } from './account-server.ts';
import { redirectUri, tokens } from './hub-with-users.ts';
import { browse } from './logged-in.ts';
import { ScriptedAuthorization } from './scripted-authorization.ts';

const clientSecret = 'the-secret-of-the-client';

it('errors of a login and of a logout contain no secrets', async () => {
  const login = await ScriptedAuthorization.start();
  onTestFinished(() => login[Symbol.asyncDispose]());
  const accounts = await AccountServer.start({ issuer: login.issuer, ownerOf: async () => undefined });
  onTestFinished(() => accounts[Symbol.asyncDispose]());
  const oauth = { clientId: 'tidings', clientSecret, issuer: login.issuer };
  const hub = await runningHub({
    servers: [accounts.entry({ oauth })],
    config: { tokens: [{ env: 'ADA' }] },
    env: { ADA: tokens.ada },
    token: tokens.operator,
  });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  const ask = async (path: string, body?: object, method = 'POST') => {
    const headers = { Authorization: `Bearer ${tokens.ada}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${hub.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return answer.text();
  };
  const finish = async () => {
    const { address } = begunLogin.parse(JSON.parse(await ask('/api/logins/accounts', { redirectUri })));
    const { url } = await browse(address, /:1024\/callback/);
    return ask('/api/logins/accounts/callback', Object.fromEntries(new URL(url).searchParams));
  };

  login.answerToken = (res) => {
    const body = { error: 'invalid_client', error_description: `unknown: ${clientSecret}` };
    res.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  expect(await finish()).toContain('unknown: …');

  login.answerToken = undefined;
  login.metadata = { revocation_endpoint: `${login.issuer}/revoke` };
  expect(await finish()).toContain('"renews":true');
  login.intercept = (req, res) => {
    if (req.url !== '/revoke') return false;
    let body = '';
    req.on('data', (part) => (body += String(part)));
    req.on('end', () => res.writeHead(500).end(`failed: ${new URLSearchParams(body).get('token')}, ${clientSecret}`));
    return true;
  };
  const ended = endedLogin.parse(JSON.parse(await ask('/api/logins/accounts', undefined, 'DELETE')));
  expect(ended).toMatchObject({ revoked: 'no', reason: 'HTTP 500 failed: …, …' });
});
