// `npm run bundles`: writes an .mcpb file for each server and for the hub to dist/bundles. `--only NAME` builds one
// of them; `--packages FOLDER` takes the tarballs from there.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runTool } from '../install-tools.js';
import { manifests } from './manifests.js';

const { only, packages } = parseArgs({
  options: { only: { type: 'string' }, packages: { type: 'string', default: 'dist/packages' } },
}).values;
const destination = resolve('dist/bundles');
const { version } = JSON.parse(readFileSync('packages/hub/package.json', 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'tidings-bundles-'));
try {
  const tarball = join(resolve(packages), `tidings-${version}.tgz`);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', tarball], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Omits files that only editors and debuggers read.
  writeFileSync(join(folder, '.mcpbignore'), ['*.map', '*.d.ts', '*.d.mts', '*.d.cts', '*.md', 'src/'].join('\n'));
  mkdirSync(destination, { recursive: true });
  for (const [name, manifest] of manifests(version)) {
    if (only !== undefined && only !== name) continue;
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    runTool('mcpb', ['validate', folder]);
    runTool('mcpb', ['pack', folder, join(destination, `${name}.mcpb`)], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
