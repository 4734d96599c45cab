// Installs what publishing needs beside this file, unless it is there already. It is not part of the workspace, so that
// `npm ci && npm start` does not wait for it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const lock = `${folder}package-lock.json`;
const installed = `${folder}node_modules/.installed-lock.json`;

export function installTools() {
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(lock, 'utf8')) return;
  // Not `ci`, which refuses a lock without the optional parts for other systems.
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
