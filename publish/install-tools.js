// Installs the tools for publishing beside this file, unless they are installed. They are not part of the workspace,
// so `npm ci && npm start` does not wait for them.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const lock = `${folder}package-lock.json`;
const installed = `${folder}node_modules/.installed-lock.json`;

export function installTools() {
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return;
  // Not `ci`, which refuses a lock file without the optional dependencies of other systems.
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  copyFileSync(lock, installed);
}

/** @param {string} name @param {string[]} args @param {import('node:child_process').ExecFileSyncOptions} [options] */
export function runTool(name, args, options = {}) {
  installTools();
  return execFileSync(`${folder}node_modules/.bin/${name}`, args, { stdio: 'inherit', ...options });
}
