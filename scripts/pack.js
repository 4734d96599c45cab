// Packs every package that can be published into dist/packages: `npm run pack`. Build first.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';

const destination = 'dist/packages';
const folders = [...readdirSync('packages').map((name) => `packages/${name}`), 'examples'];
const published = folders.filter((folder) => !JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).private);

rmSync(destination, { recursive: true, force: true });
mkdirSync(destination, { recursive: true });
execFileSync(
  'npm',
  ['pack', '--silent', '--pack-destination', destination, ...published.map((folder) => `--workspace=${folder}`)],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);
