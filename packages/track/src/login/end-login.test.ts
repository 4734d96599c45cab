import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tidings/live';
import { expect, it, onTestFinished } from 'vitest';
import { endLogin } from './end-login.ts';
import { FileLoginStore } from './file-login-store.ts';

it('leaves no file for a server without a login', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tidings-end-login-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const store = new FileLoginStore(data, systemClock);
  const ended = await endLogin({ key: 'https://unknown.example/mcp', oauth: undefined, store, fetch });
  expect(ended.wasLoggedIn).toBe(false);
  expect(await readdir(data)).toEqual([]);
});
