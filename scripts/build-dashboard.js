// Builds the dashboard, unless its last build was from the same sources.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'packages/dashboard';
const stamp = 'node_modules/.cache/dashboard.sha256';

const digest = digestOfSources();
if (!existsSync(`${folder}/dist/index.html`) || read(stamp) !== digest) {
  const args = ['node_modules/vite/bin/vite.js', 'build', folder, '--logLevel', 'warn'];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  mkdirSync('node_modules/.cache', { recursive: true });
  writeFileSync(stamp, digest);
}

function digestOfSources() {
  const hash = createHash('sha256');
  // The page includes its imports from other packages.
  const folders = [
    `${folder}/src`,
    `${folder}/public`,
    'packages/live/src/portable',
    'packages/live/src/time',
    'packages/client/src',
  ];
  const files = folders.flatMap((part) =>
    readdirSync(part, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const others = ['index.html', 'vite.config.js', 'package.json'].map((name) => join(folder, name));
  for (const file of [...files.sort(), ...others, 'package-lock.json']) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

/** @param {string} file */
function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
