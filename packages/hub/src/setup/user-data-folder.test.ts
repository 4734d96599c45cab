import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { userDataFolder } from './user-data-folder.ts';

const home = homedir();

test.each([
  ['linux', {}, join(home, '.local', 'share', 'tidings')],
  ['linux', { XDG_DATA_HOME: '' }, join(home, '.local', 'share', 'tidings')],
  ['linux', { XDG_DATA_HOME: '/data' }, join('/data', 'tidings')],
  ['darwin', {}, join(home, 'Library', 'Application Support', 'tidings')],
  ['win32', {}, join(home, 'AppData', 'Local', 'tidings')],
  ['win32', { LOCALAPPDATA: '/local' }, join('/local', 'tidings')],
])('on %s with %o, state lives in %s', (platform, env, folder) => {
  expect(userDataFolder(env, platform)).toBe(folder);
});
