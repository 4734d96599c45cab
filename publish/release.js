// `npm run release`: raises the version of all packages by the files in .changeset, builds, and publishes them. With
// `--dry-run` it works in a copy, and npm only lists what it would publish.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runTool } from './install-tools.js';

const { 'dry-run': isTrial = false } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } }).values;
const cwd = isTrial ? copyOf(resolve('.')) : resolve('.');
try {
  runTool('changeset', ['version'], { cwd });
  const version = setVersion();
  if (!isTrial) execFileSync('npm', ['run', 'build'], { cwd, stdio: 'inherit' });
  const names = publishedInOrder();
  // npm publishes them in this order.
  const workspaces = names.map((name) => `--workspace=${name}`);
  execFileSync('npm', ['publish', '--access', 'public', ...workspaces, ...(isTrial ? ['--dry-run'] : [])], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  console.log(`${isTrial ? 'Would publish' : 'Published'} ${names.length} packages at ${version}: ${names.join(', ')}`);
} finally {
  if (isTrial) rmSync(cwd, { recursive: true, force: true });
}

/** A copy that can be changed; it shares the dependencies. @param {string} workspace */
function copyOf(workspace) {
  const copy = mkdtempSync(join(tmpdir(), 'tidings-release-'));
  const left = new Set(['.git', 'node_modules', '.pages', '.tidings', '.build']);
  const artifacts = join(workspace, 'dist');
  cpSync(workspace, copy, {
    recursive: true,
    // The build compares times to see whether the command's bundle is fresh.
    preserveTimestamps: true,
    filter: (path) => path === workspace || (path !== artifacts && !left.has(basename(path))),
  });
  symlinkSync(join(workspace, 'node_modules'), join(copy, 'node_modules'));
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  return copy;
}

/**
 * Writes the version to the constant that programs report and to the registry's entry; changesets sets the
 * manifests.
 */
function setVersion() {
  const { version } = JSON.parse(readFileSync(join(cwd, 'packages/live/package.json'), 'utf8'));
  const constant = join(cwd, 'packages/live/src/version.ts');
  writeFileSync(constant, readFileSync(constant, 'utf8').replace(/version = '[^']+'/, `version = '${version}'`));
  const entry = join(cwd, 'packages/hub/server.json');
  writeFileSync(entry, readFileSync(entry, 'utf8').replaceAll(/"version": "[^"]+"/g, `"version": "${version}"`));
  return version;
}

/** The names of the published packages, each after its dependencies. */
function publishedInOrder() {
  const folders = [...readdirSync(join(cwd, 'packages')).map((name) => `packages/${name}`), 'examples'];
  const manifests = folders.map((folder) => JSON.parse(readFileSync(join(cwd, folder, 'package.json'), 'utf8')));
  const waiting = new Map(
    manifests.filter((each) => !each.private).map((each) => [each.name, each.dependencies ?? {}]),
  );
  const ordered = [];
  while (waiting.size > 0) {
    const [next] = [...waiting].find(([, needs]) => !Object.keys(needs).some((name) => waiting.has(name))) ?? [];
    if (next === undefined) throw new Error(`These depend on each other: ${[...waiting.keys()].join(', ')}.`);
    waiting.delete(next);
    ordered.push(next);
  }
  return ordered;
}
