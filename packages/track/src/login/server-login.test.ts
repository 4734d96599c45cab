import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { GrantRefused, type LoginGrant } from './login-grant.ts';
import type { LoginStore } from './login-store.ts';
import { MemoryLoginStore } from './memory-login-store.ts';
import { ServerLogin } from './server-login.ts';
import { emptyLogin } from './stored-login.ts';

const key = 'https://example.com/mcp';
const issuer = 'https://id.example.com';
const rejection = new Response(null, { status: 401, headers: { 'WWW-Authenticate': 'Bearer scope="read"' } });
const lifeMs = 100_000;

/** Tokens are numbered, and live 100 s. */
async function scene({ isLoggedIn = true } = {}) {
  const clock = new FakeClock();
  const store = new MemoryLoginStore();
  const made = { renewals: 0, failure: undefined as Error | undefined, isSilent: false };
  const tokensOf = (n: number) => ({
    accessToken: `token-${n}`,
    refreshToken: `refresh-${n}`,
    issuer,
    scope: 'read',
    obtainedAt: clock.date(),
    expiresAt: clock.date() + lifeMs,
  });
  const grant: LoginGrant = {
    canRenew: (login) => login?.tokens !== undefined,
    renew: async (login) => {
      made.renewals += 1;
      await Promise.resolve();
      if (made.isSilent) await new Promise(() => undefined);
      if (made.failure) throw made.failure;
      return { ...(login ?? emptyLogin(key)), tokens: tokensOf(made.renewals) };
    },
  };
  if (isLoggedIn) await store.edit(key, async () => ({ ...emptyLogin(key), tokens: tokensOf(0) }));
  const opened = () => new ServerLogin({ key, store, grant, clock });
  return { clock, store, made, grant, tokensOf, opened, login: opened() };
}

it('gives no token without a login, and does not try to renew', async () => {
  const { login, made } = await scene({ isLoggedIn: false });
  expect(login.isReady).toBe(false);
  expect(await login.token()).toBeUndefined();
  expect(login.isReady).toBe(true);
  expect(await login.another(undefined, rejection)).toBeUndefined();
  expect(made.renewals).toBe(0);
});

it('sends nothing without a login where one is required, and tells when a person logs in or out', async () => {
  const { store, made, tokensOf, clock } = await scene({ isLoggedIn: false });
  const grant: LoginGrant = { canRenew: () => false, renew: async (login) => login };
  const login = new ServerLogin({ key, store, grant, clock, isRequired: true });
  const told: string[] = [];
  const stop = login.onOther(() => told.push(login.accessToken ?? 'none'));
  expect([login.isReady, login.isMissing]).toEqual([false, true]);
  await expect(login.token()).rejects.toMatchObject({ status: 401 });
  expect(login.isReady).toBe(false);
  const loggedIn = async (id: string, n: number) => {
    await store.edit(key, async () => ({ ...emptyLogin(key), id, tokens: tokensOf(n) }));
    await login.token();
  };
  await loggedIn('first', 1);
  await loggedIn('first', 2);
  await loggedIn('second', 3);
  expect([told, login.isReady, login.isMissing]).toEqual([['token-1', 'token-3'], true, false]);
  await store.edit(key, async () => undefined);
  await expect(login.token()).rejects.toThrow('There is no login');
  stop();
  await loggedIn('third', 4);
  expect(told).toEqual(['token-1', 'token-3', 'none']);
  expect(made.renewals).toBe(0);
});

it('renews a little before the token expires, once for all that need it', async () => {
  const { login, clock, made } = await scene();
  expect(await login.token()).toBe('token-0');
  clock.advance(lifeMs - 31_000);
  expect(login.isReady).toBe(true);
  clock.advance(20_000);
  expect(login.isReady).toBe(false);
  expect(await Promise.all(Array.from({ length: 50 }, () => login.token()))).toEqual(
    Array.from({ length: 50 }, () => 'token-1'),
  );
  expect(made.renewals).toBe(1);
});

it('replaces a rejected token once, also for requests with it that are answered later', async () => {
  const { login, made } = await scene();
  await login.token();
  const all = await Promise.all(Array.from({ length: 50 }, () => login.another('token-0', rejection)));
  expect(new Set(all)).toEqual(new Set(['token-1']));
  expect(await login.another('token-0', rejection)).toBe('token-1');
  expect(made.renewals).toBe(1);
});

it('renews once if two processes need a token at the same moment', async () => {
  const { login, opened, made } = await scene();
  const other = opened();
  await Promise.all([login.token(), other.token()]);
  const both = await Promise.all([login.another('token-0', rejection), other.another('token-0', rejection)]);
  expect(both).toEqual(['token-1', 'token-1']);
  expect(made.renewals).toBe(1);
});

it('uses the token that another process has stored, instead of renewing', async () => {
  const { login, store, made, tokensOf } = await scene();
  await login.token();
  await store.edit(key, async () => ({ ...emptyLogin(key), tokens: tokensOf(7) }));
  expect(await login.another('token-0', rejection)).toBe('token-7');
  expect(made.renewals).toBe(0);
});

it('keeps the login while the authorization server fails: the old token is used until it expires', async () => {
  const { login, store, clock, made } = await scene();
  await login.token();
  made.failure = new Error('HTTP 503');
  clock.advance(lifeMs - 10_000);
  expect(await login.token()).toBe('token-0');
  // It is not requested at every request.
  expect(login.isReady).toBe(true);
  expect(made.renewals).toBe(1);
  clock.advance(11_000);
  await expect(login.token()).rejects.toThrow('The login could not be renewed');
  await expect(login.token()).rejects.toThrow('The login could not be renewed');
  expect(made.renewals).toBe(2);
  expect((await store.read(key))?.tokens?.refreshToken).toBe('refresh-0');
  made.failure = undefined;
  clock.advance(5000);
  expect(await login.token()).toBe('token-3');
});

it('reports why a machine got no token', async () => {
  const { login, made } = await scene();
  await login.token();
  made.failure = new GrantRefused('unknown client');
  expect(await login.another('token-0', rejection)).toBeUndefined();
  expect(login.problem).toBe('unknown client');
});

it('remembers a further required scope until a login grants it', async () => {
  const { login, store } = await scene();
  await login.token();
  const challenge = 'Bearer error="insufficient_scope", scope="write \u00ff admin"';
  const refusal = new Response(null, { status: 403, headers: { 'WWW-Authenticate': challenge } });
  await login.refused(refusal);
  expect(login.wantedScope).toBe('write admin');
  await store.edit(key, async (stored) => {
    const { tokens } = stored ?? {};
    return stored && tokens && { ...stored, tokens: { ...tokens, scope: 'read write admin' } };
  });
  await login.token();
  expect(login.wantedScope).toBeUndefined();
});

it('reports another token, and keeps both secret', async () => {
  const { login, store, tokensOf } = await scene();
  await login.token();
  const replaced = login.untilReplaced(new AbortController().signal);
  await store.edit(key, async () => ({ ...emptyLogin(key), tokens: tokensOf(9) }));
  await replaced;
  expect([...login.secrets]).toEqual(expect.arrayContaining(['token-0', 'refresh-0', 'token-9', 'refresh-9']));
});

it('does not make requests wait for an unresponsive authorization server while the token is valid', async () => {
  const { login, clock, made } = await scene();
  await login.token();
  clock.advance(lifeMs - 20_000);
  made.isSilent = true;
  const after = async (ms: number) => {
    const token = login.token();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    clock.advance(ms);
    return token;
  };
  expect(await after(1000)).toBe('token-0');
  // The renewal is under way: later requests do not wait at all.
  expect(await after(0)).toBe('token-0');
  expect(made.renewals).toBe(1);
});

it('does not renew repeatedly if the server rejects new tokens too', async () => {
  const { login, clock, made } = await scene();
  const rejectedAgain = async () => {
    const other = await login.another(login.accessToken, rejection);
    if (other !== undefined) login.rejectedAgain(other);
  };
  for (let n = 0; n < 10; n += 1) await rejectedAgain();
  expect(made.renewals).toBe(1);
  clock.advance(61_000);
  await rejectedAgain();
  expect(made.renewals).toBe(2);
});

it('keeps a refresh token secret that does not change for long', async () => {
  const { login, store, tokensOf } = await scene();
  for (let n = 0; n < 100; n += 1) {
    await store.edit(key, async () => ({ ...emptyLogin(key), tokens: { ...tokensOf(n), refreshToken: 'the-same' } }));
    await login.token();
    expect([...login.secrets]).toEqual(expect.arrayContaining([`token-${n}`, 'the-same']));
  }
});

it('uses a renewed token that could not be stored, and renews with its refresh token', async () => {
  const { store, clock, made, grant } = await scene();
  const used: (string | undefined)[] = [];
  const disk = { isFull: false };
  const full: LoginStore = {
    read: (each) => store.read(each),
    has: (each) => store.has(each),
    follow: (each, listener) => store.follow(each, listener),
    edit: (each, change) =>
      store.edit(each, async (before) => {
        const after = await change(before);
        if (disk.isFull && after !== before) throw new Error('ENOSPC: no space left on device, write');
        return after;
      }),
  };
  const renew: LoginGrant['renew'] = (login, challenge) => {
    used.push(login?.tokens?.refreshToken);
    return grant.renew(login, challenge);
  };
  const login = new ServerLogin({ key, store: full, clock, grant: { ...grant, renew } });
  await login.token();
  disk.isFull = true;
  clock.advance(lifeMs);
  expect(await login.token()).toBe('token-1');
  // Another read of the store does not bring back the token that was replaced.
  expect(await login.another('token-1', rejection)).toBe('token-2');
  disk.isFull = false;
  clock.advance(lifeMs);
  expect(await login.token()).toBe('token-3');
  expect((await store.read(key))?.tokens?.refreshToken).toBe('refresh-3');
  expect([used, made.renewals]).toEqual([['refresh-0', 'refresh-1', 'refresh-2'], 3]);
});

it('forgets a renewed token that could not be stored when a person logs out', async () => {
  const { store, clock, grant } = await scene();
  const edit: LoginStore['edit'] = (each, change) =>
    store.edit(each, async (before) => {
      await change(before);
      throw new Error('ENOSPC: no space left on device, write');
    });
  const full: LoginStore = {
    read: (each) => store.read(each),
    has: (each) => store.has(each),
    follow: (each, listener) => store.follow(each, listener),
    edit,
  };
  const login = new ServerLogin({ key, store: full, clock, grant });
  await login.token();
  clock.advance(lifeMs);
  expect(await login.token()).toBe('token-1');
  await store.edit(key, async () => undefined);
  expect(await login.token()).toBeUndefined();
});
