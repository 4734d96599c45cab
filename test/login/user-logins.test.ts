// The logins of users by themselves, with a clock of the test and a real authorization server.
import { FakeClock } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';
import { MemoryLoginStore } from '../../packages/track/src/login/memory-login-store.ts';
import { UserLogins, type UserLoginsDeps } from '../../packages/track/src/login/user-logins.ts';
import { AuthorizationServer } from '../support/counterpart/authorization-server.js';
import { AccountServer } from './account-server.ts';
import { cameBack, redirectUri } from './hub-with-users.ts';

async function opened(challenge: UserLoginsDeps['challenge'] = async () => ({ scope: 'notes:read' })) {
  const login = await AuthorizationServer.start();
  onTestFinished(() => login[Symbol.asyncDispose]());
  const accounts = await AccountServer.start(login);
  onTestFinished(() => accounts[Symbol.asyncDispose]());
  const clock = new FakeClock();
  const logins = new UserLogins({ store: new MemoryLoginStore(), fetch, challenge, clock });
  return { login, clock, logins, entry: accounts.entry() };
}

it('a login that was begun can be completed within ten minutes', async () => {
  const { login, clock, logins, entry } = await opened();
  const late = await logins.begin('ada', entry, { redirectUri });
  const callback = await cameBack(login, 'ada', late.address.href);
  clock.advance(10 * 60_000);
  await expect(logins.finish('ada', entry, new URLSearchParams(callback))).rejects.toThrow('begin again');
  const { address } = await logins.begin('ada', entry, { redirectUri });
  clock.advance(10 * 60_000 - 1);
  const again = new URLSearchParams(await cameBack(login, 'ada', address.href));
  expect(await logins.finish('ada', entry, again)).toMatchObject({ renews: true });
  expect(await logins.of('ada', entry)).toMatchObject({ login: { renews: true }, redirectUri });
  expect(await logins.of('bob', entry)).toEqual({});
});

it('a logout ends what was begun before it', async () => {
  const { login, logins, entry } = await opened();
  const { address } = await logins.begin('ada', entry, { redirectUri });
  expect(await logins.end('ada', entry)).toMatchObject({ wasLoggedIn: false });
  const callback = new URLSearchParams(await cameBack(login, 'ada', address.href));
  await expect(logins.finish('ada', entry, callback)).rejects.toThrow('begin again');
});

it('logins that all users together have begun are bounded', async () => {
  const { clock, logins, entry } = await opened(() => new Promise(() => undefined));
  for (let n = 0; n < 1000; n += 1) void logins.begin(`user ${n}`, entry, { redirectUri }).catch(() => undefined);
  await expect(logins.begin('one more', entry, { redirectUri })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  clock.advance(10 * 60_000);
  const waiting = logins.begin('one more', entry, { redirectUri });
  expect(await Promise.race([waiting.then(() => 'begun'), Promise.resolve('waits')])).toBe('waits');
});

it('one whose server wants no login is not begun', async () => {
  const { logins, entry } = await opened(async () => undefined);
  await expect(logins.begin('ada', entry, { redirectUri })).rejects.toThrow('can be used without a login');
});
