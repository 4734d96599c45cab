// The logins of users: how one begins, is used, renewed and ended, and what others can do with it.
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { begunLogin, endedLogin, userLogin, userLoginsAnswer } from '@tidings/client/contract';
import { type Era, eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { runningHub } from '../hub/running-hub.ts';
import { tidingsCommand, HostedTidings } from '../cli/hosted-tidings.ts';
import { askerOf, cameBack, hubWithUsers, redirectUri, tokens } from './hub-with-users.ts';
import { addressShown, browse } from './logged-in.ts';

const path = '/api/logins/accounts';
const me = `/resources/${encodeURIComponent('account://me')}`;

async function errorOf(answer: Response): Promise<{ status: number; code: string; message: string }> {
  const { error }: { error: { code: string; message: string } } = JSON.parse(await answer.text());
  return { status: answer.status, ...error };
}

describe.each<Era>(['modern', 'legacy'])('a user without a login, with a %s client', (era) => {
  it('sees nothing of the server, and is told the command', async () => {
    const { hub, connect, ask, accounts, stateFor } = await hubWithUsers({ era });
    const before = new Map(accounts.requests);
    const ada = await connect('ada');
    const advice = new RegExp(`tidings login accounts --hub ${hub.url}`);
    expect(await ada.listAll()).toEqual([]);
    await expect(ada.read('account://me')).rejects.toThrow(advice);
    await expect(ada.read(`tidings://accounts/${encodeURIComponent('account://me')}`)).rejects.toThrow(advice);
    await expect(ada.call('accounts_whoami')).rejects.toThrow(advice);
    expect(await errorOf(await ask('ada', me))).toMatchObject({ status: 503, code: 'UNAVAILABLE' });
    expect(await stateFor('ada')).toBe('needs_login');
    expect(await stateFor('operator')).toBe('live');
    const single = await connect('ada', '/mcp/accounts');
    await expect(single.call('whoami')).rejects.toThrow(advice);
    await expect(single.call('no such tool')).rejects.toThrow(advice);
    expect(accounts.requests.get('nobody')).toBe(before.get('nobody'));
  });
});

it('a login is stored for its owner only, shown without tokens, and used by the user alone', async () => {
  const { hub, logIn, ask, place, accounts } = await hubWithUsers();
  const done = userLogin.parse(await (await logIn('ada')).json());
  expect(done).toMatchObject({ server: 'accounts', renews: true });
  const { logins } = userLoginsAnswer.parse(await (await ask('ada', '/api/logins')).json());
  expect(logins).toEqual([{ server: 'accounts', login: expect.objectContaining({ renews: true }), redirectUri }]);
  expect(userLoginsAnswer.parse(await (await ask('bob', '/api/logins')).json()).logins).toEqual([
    { server: 'accounts', login: null },
  ]);
  expect(await (await ask('ada', me)).text()).toBe('ada');
  expect((await ask('bob', me)).status).toBe(503);
  expect(await (await ask('operator', me)).text()).toBe('operator');

  const folder = join(place, 'logins');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  expect(files).toHaveLength(2);
  const secrets: string[] = [];
  for (const name of files) {
    expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
    const text = await readFile(join(folder, name), 'utf8');
    expect(text).not.toContain('ADA');
    const stored: { tokens: { accessToken: string; refreshToken: string } } = JSON.parse(text);
    secrets.push(stored.tokens.accessToken, stored.tokens.refreshToken);
  }
  const said = await Promise.all(
    ['/api/servers', '/api/events?last=1000', '/api/logins', '/api/clients'].map(async (each) =>
      (await ask('ada', each)).text(),
    ),
  );
  await hub.hub.audit.flush();
  const audit = (await tidingsCommand(['audit', '--json', '--data', place])).stdout;
  expect(audit).toMatch(/"who":"ADA".*"method":"server-login","server":"accounts"/);
  for (const secret of secrets) expect([...said, audit].filter((text) => text.includes(secret))).toEqual([]);
  expect(accounts.requests.get('ada')).toBeGreaterThan(0);
});

it('a login is renewed before its token expires, and after the server has forgotten it', async () => {
  const { login, logIn, ask } = await hubWithUsers();
  await logIn('ada');
  const before = login.tokenRequests.length;
  login.forgetAccessTokens();
  await eventually('an answer with a new token', async () => (await (await ask('ada', me)).text()) === 'ada');
  expect(login.tokenRequests.slice(before)).toContain('refresh_token ok');
});

it('a login that was revoked, or that the user has ended, is of no use at once', async () => {
  const { login, logIn, ask, stateFor, connect } = await hubWithUsers();
  await logIn('ada');
  await logIn('bob');
  const ada = await connect('ada');
  await ada.subscribe('inbox://ada/1');
  const ended = await ask('ada', path, { method: 'DELETE' });
  expect(endedLogin.parse(await ended.json())).toEqual({ server: 'accounts', revoked: 'yes' });
  expect(await stateFor('ada')).not.toBe('live');
  expect((await ask('ada', me)).status).toBe(503);
  await eventually('an empty list', async () => (await ada.listAll()).length === 0);
  expect(await (await ask('bob', me)).text()).toBe('bob');
  expect(await errorOf(await ask('ada', path, { method: 'DELETE' }))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });

  await login.revokeAll();
  // The server refuses the next request; otherwise the next health check would notice.
  await ask('bob', me);
  await eventually('the revoked login', async () => (await stateFor('bob')) === 'needs_login');
  expect(await errorOf(await ask('bob', me))).toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('tidings login accounts --hub'),
  });
});

it('another account of the same user gets nothing that the first one has shown', async () => {
  const { login, logIn, ask, connect } = await hubWithUsers();
  await logIn('ada');
  const ada = await connect('ada');
  expect(await ada.listAll()).toContain('inbox://ada/1');
  const begun = begunLogin.parse(await (await ask('ada', path, { body: { redirectUri } })).json());
  const callback = await cameBack(login, 'bob', begun.address);
  expect((await ask('ada', `${path}/callback`, { body: callback })).status).toBe(200);
  await eventually('the other account', async () => (await ada.listAll()).includes('inbox://bob/1'));
  expect(await ada.listAll()).not.toContain('inbox://ada/1');
  await expect(ada.read('inbox://ada/1')).rejects.toThrow();
  expect(await ada.read('account://me')).toBe('bob');
});

it('logins survive a restart of the hub', async () => {
  const { hub, options, login, logIn, connect } = await hubWithUsers();
  await logIn('ada');
  await (await connect('ada')).close();
  await hub[Symbol.asyncDispose]();
  const again = await runningHub(options);
  onTestFinished(() => again[Symbol.asyncDispose]());
  const ada = await askerOf(again, login, 'modern').connect('ada');
  expect(await ada.read('account://me')).toBe('ada');
  expect(await ada.call('accounts_whoami')).toBe('ada');
});

it('a login is finished only by the user who began it, once, on the own machine, and in time', async () => {
  const { login, ask } = await hubWithUsers();
  const begun = begunLogin.parse(await (await ask('ada', path, { body: { redirectUri } })).json());
  // Bob opens the link of ada, or ada gets the code of bob: neither binds the account.
  const callback = await cameBack(login, 'bob', begun.address);
  const notBegun = { status: 400, code: 'INVALID_PARAMS', message: expect.stringContaining('begin again') };
  expect(await errorOf(await ask('bob', `${path}/callback`, { body: callback }))).toEqual(notBegun);
  expect(await errorOf(await ask('ada', `${path}/callback`, { body: { ...callback, state: 'guessed' } }))).toEqual(
    notBegun,
  );
  for (const other of [
    'https://attacker.example.com/callback',
    'http://127.0.0.1.attacker.example.com:80/callback',
    'http://127.0.0.1:80@attacker.example.com/callback',
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:70000/callback',
    'http://127.0.0.1:80/callback#',
    'http://localhost:80/callback',
  ]) {
    expect(await errorOf(await ask('ada', path, { body: { redirectUri: other } }))).toMatchObject({ status: 400 });
  }
  // A refused callback of another login leaves the own one as it is; a second one replaces it.
  const second = begunLogin.parse(await (await ask('ada', path, { body: { redirectUri } })).json());
  const old = await cameBack(login, 'ada', begun.address);
  expect(await errorOf(await ask('ada', `${path}/callback`, { body: old }))).toEqual(notBegun);
  const good = await cameBack(login, 'ada', second.address);
  expect((await ask('ada', `${path}/callback`, { body: good })).status).toBe(200);
  expect(await errorOf(await ask('ada', `${path}/callback`, { body: good }))).toEqual(notBegun);
  expect(Date.parse(second.until)).toBeLessThan(Date.now() + 11 * 60_000);
});

it('refuses what is no login of this user', async () => {
  const { ask, login } = await hubWithUsers();
  const body = { redirectUri };
  expect(await errorOf(await ask('operator', path, { body }))).toMatchObject({
    status: 403,
    message: expect.stringContaining('run "tidings login accounts" on its machine'),
  });
  expect(await errorOf(await ask('ada', '/api/logins/none', { body }))).toMatchObject({ status: 404 });
  expect(await errorOf(await ask('ada', path, { body: { redirectUri, token: 'x' } }))).toMatchObject({ status: 400 });
  expect(await errorOf(await ask('ada', path, { body: {} }))).toMatchObject({ status: 400 });
  expect(await errorOf(await ask('ada', `${path}/callback`, { body: { state: 1 } }))).toMatchObject({ status: 400 });
  expect(await errorOf(await ask('ada', `${path}/callback`, { body: { state: 'x'.repeat(5000) } }))).toMatchObject({
    status: 400,
  });
  login.refusal = { error: 'access_denied', error_description: 'No, thanks.' };
  const begun = begunLogin.parse(await (await ask('ada', path, { body })).json());
  const callback = await cameBack(login, 'ada', begun.address);
  login.refusal = undefined;
  expect(await errorOf(await ask('ada', `${path}/callback`, { body: callback }))).toMatchObject({
    status: 403,
    message: expect.stringContaining('No, thanks.'),
  });
  login.tokenFault = 500;
  const again = begunLogin.parse(await (await ask('ada', path, { body })).json());
  const failing = await cameBack(login, 'ada', again.address);
  expect(await errorOf(await ask('ada', `${path}/callback`, { body: failing }))).toMatchObject({
    status: 503,
    message: expect.stringContaining('The login has failed'),
  });
});

it('bounds how often a user begins a login', async () => {
  const { ask } = await hubWithUsers();
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1) statuses.push((await ask('ada', path, { body: { redirectUri } })).status);
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
  expect((await ask('bob', path, { body: { redirectUri } })).status).toBe(201);
});

it('bounds the users with connections of their own, and closes those that are idle', async () => {
  const { ask, logIn, accounts, connect } = await hubWithUsers({ users: { users: 1, idleMs: 300 } });
  await logIn('ada');
  const ada = await connect('ada');
  await ada.subscribe('inbox://ada/1');
  expect(await errorOf(await ask('bob', me))).toMatchObject({ status: 429, code: 'LIMIT_EXCEEDED' });
  await ada.close();
  await eventually('room for bob', async () => (await ask('bob', me)).status === 503);
  const before = accounts.requests.get('ada') ?? 0;
  await eventually('room for ada', async () => (await (await ask('ada', me)).text()) === 'ada');
  expect(accounts.requests.get('ada')).toBeGreaterThan(before);
});

it('tidings login and logout with --hub log a user in and out', async () => {
  const { hub, login, ask } = await hubWithUsers();
  const env = { TIDINGS_TOKEN: tokens.ada };
  const command = new HostedTidings(['login', 'accounts', '--no-browser', '--hub', hub.url], { env });
  const address = await addressShown(command);
  login.user = 'ada';
  const page = await browse(address);
  expect(page.text).toContain('You are logged in.');
  expect(await command.ended).toMatchObject({
    code: 0,
    stdout: `Logged in to accounts. The hub at ${hub.url} uses this login for you only.\n`,
  });
  const read = await tidingsCommand(['read', 'account://me', '--hub', hub.url], { env });
  expect(read).toMatchObject({ code: 0, stdout: 'ada' });
  const other = await tidingsCommand(['read', 'account://me', '--hub', hub.url], {
    env: { TIDINGS_TOKEN: tokens.bob },
  });
  expect(other).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`tidings login accounts --hub ${hub.url}`),
  });
  const out = await tidingsCommand(['logout', 'accounts', '--hub', hub.url], { env });
  expect(out).toMatchObject({ code: 0, stdout: 'Logged out of accounts. It was revoked.\n' });
  expect((await ask('ada', me)).status).toBe(503);
  const asOperator = { env: { TIDINGS_TOKEN: tokens.operator } };
  expect(await tidingsCommand(['login', 'accounts', '--hub', hub.url, '--no-browser'], asOperator)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('on its machine'),
  });
  expect(await tidingsCommand(['login', 'accounts', '--hub', hub.url, '--data', 'x'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--data changes nothing here'),
  });
});

it('tidings login and logout with --hub say what to do where there is nothing to log in to', async () => {
  await using notes = await NotesUpstream.start('modern');
  const own = { ...notes.entry('own'), headers: { Authorization: 'Bearer of-the-entry' } };
  await using hub = await runningHub({ servers: [notes.entry('notes'), own] });
  for (const command of ['login', 'logout']) {
    expect(await tidingsCommand([command, 'nots', '--hub', hub.url])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no server "nots".+"tidings list --servers"/),
    });
    expect(await tidingsCommand([command, 'own', '--hub', hub.url])).toMatchObject({
      code: 1,
      stderr: 'error: "own" can be used without a login.\n',
    });
    expect(await tidingsCommand([command, 'notes', '--hub', hub.url])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('run "tidings login notes" on its machine'),
    });
  }
});
