// Logs in without the command, for tests of the use of logins.
import { systemClock } from '@tidings/live/time';
import { FileLoginStore } from '../../packages/track/src/login/file-login-store.ts';
import { LoginFlow } from '../../packages/track/src/login/login-flow.ts';
import { loginKey } from '../../packages/track/src/base/login-key.ts';
import { browse } from './logged-in.ts';

const redirectUri = 'http://127.0.0.1:1024/callback';

/** Resolves with the store of the login. */
export async function quickLogin(data: string, url: string, scope?: string): Promise<FileLoginStore> {
  const store = new FileLoginStore(data, systemClock);
  const key = loginKey(url);
  const challenge = { scope: 'notes:read' };
  const flow = await LoginFlow.begin({
    url,
    key,
    oauth: undefined,
    challenge,
    scope,
    redirectUri,
    store,
    fetch,
    clock: systemClock,
  });
  const { url: callback } = await browse((await flow.start()).href, /:1024\/callback/);
  await flow.finish(new URL(callback).searchParams);
  return store;
}
