import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tidings/live';
import { expect, it, onTestFinished } from 'vitest';
import { endLogin } from './end-login.ts';
import { loginKey } from '../base/login-key.ts';
import { FileLoginStore } from './file-login-store.ts';
import { emptyLogin } from './stored-login.ts';

const key = loginKey('https://notes.example/mcp');

async function folder(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'tidings-end-login-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  return data;
}

it('leaves no file for a server without a login', async () => {
  const data = await folder();
  const store = new FileLoginStore(data, systemClock);
  const ended = await endLogin({ key, oauth: undefined, store, fetch });
  expect(ended.wasLoggedIn).toBe(false);
  expect(await readdir(data)).toEqual([]);
});

it('deletes a login whose file is damaged, and says that it was not revoked', async () => {
  const data = await folder();
  const store = new FileLoginStore(data, systemClock);
  await store.edit(key, async () => emptyLogin(key));
  const logins = join(data, 'logins');
  const stored = async () => (await readdir(logins)).filter((each) => each.endsWith('.json'));
  const [name = ''] = await stored();
  await writeFile(join(logins, name), '{"tokens":{"accessToken":"secret');
  const ended = await endLogin({ key, oauth: undefined, store, fetch });
  expect(ended).toEqual({ wasLoggedIn: true, revoked: 'no', reason: 'its file is damaged' });
  expect(await stored()).toEqual([]);
  expect(await endLogin({ key, oauth: undefined, store, fetch })).toEqual({ wasLoggedIn: false, revoked: 'no' });
});
