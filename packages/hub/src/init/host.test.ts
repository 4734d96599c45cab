import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hosts } from './host.ts';

const home = homedir();
const support = join(home, 'Library', 'Application Support');

test.each([
  ['claude-desktop', 'linux', {}, join(home, '.config', 'Claude', 'claude_desktop_config.json')],
  ['claude-desktop', 'linux', { XDG_CONFIG_HOME: '/x' }, join('/x', 'Claude', 'claude_desktop_config.json')],
  ['claude-desktop', 'darwin', {}, join(support, 'Claude', 'claude_desktop_config.json')],
  ['claude-desktop', 'win32', { APPDATA: '/a' }, join('/a', 'Claude', 'claude_desktop_config.json')],
  ['claude-desktop', 'win32', {}, join(home, 'AppData', 'Roaming', 'Claude', 'claude_desktop_config.json')],
  ['claude-code', 'linux', {}, join(home, '.claude.json')],
  ['claude-code', 'darwin', { CLAUDE_CONFIG_DIR: '/c' }, join('/c', '.claude.json')],
  ['cursor', 'win32', {}, join(home, '.cursor', 'mcp.json')],
  ['vscode', 'linux', {}, join(home, '.config', 'Code', 'User', 'mcp.json')],
  ['vscode', 'darwin', {}, join(support, 'Code', 'User', 'mcp.json')],
  ['vscode', 'win32', { APPDATA: '/a' }, join('/a', 'Code', 'User', 'mcp.json')],
])('%s on %s with %o has its servers in %s', (name, platform, env, file) => {
  expect(hosts.find((host) => host.name === name)?.file({ env, platform })).toBe(file);
});
